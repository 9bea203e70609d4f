"""Writes recorded.json: what scipy, statsmodels and scikit-learn say (their versions are in it).

    pip install scipy==1.17.1 statsmodels==0.15.0 scikit-learn==1.9.1 && python test/domain/stats/record.py
"""

import json
import pathlib

import numpy
import scipy
import sklearn
import statsmodels
from scipy.stats import binom, bootstrap, false_discovery_control, permutation_test
from sklearn.metrics import matthews_corrcoef
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint, proportion_effectsize

TABLES = [
    # both, lost, gained, neither
    (36, 2, 12, 0), (20, 12, 2, 16), (18, 5, 5, 18), (30, 0, 0, 24), (54, 0, 0, 0), (0, 0, 0, 7), (1, 0, 0, 0),
    (0, 1, 0, 0), (0, 0, 1, 0), (0, 20, 20, 0), (3, 10, 7, 2), (861, 40, 61, 357), (1, 97, 1, 1), (120, 9, 3, 66),
]


def newcombe(both, lost, gained, neither, level):
    n = both + lost + gained + neither
    before = [1] * (both + lost) + [0] * (gained + neither)
    after = [1] * both + [0] * lost + [1] * gained + [0] * neither
    phi, excess = matthews_corrcoef(before, after), both * neither - lost * gained
    if excess > 0:
        phi *= max(excess - n / 2, 0) / excess
    (low1, high1), (low2, high2) = (proportion_confint(sum(of), n, 1 - level, "wilson") for of in (before, after))
    p1, p2 = sum(before) / n, sum(after) / n
    down = numpy.sqrt((p2 - low2) ** 2 - 2 * phi * (p2 - low2) * (high1 - p1) + (high1 - p1) ** 2)
    up = numpy.sqrt((high2 - p2) ** 2 - 2 * phi * (high2 - p2) * (p1 - low1) + (p1 - low1) ** 2)
    return float(p2 - p1 - down), float(p2 - p1 + up)


def sign_flips(differences):
    found = permutation_test(
        (numpy.array(differences, float),), lambda x, axis: x.sum(axis), permutation_type="samples",
        n_resamples=numpy.inf, alternative="two-sided", vectorized=True,
    )
    return float(found.pvalue)


def power_of_mcnemar(items, churn, drop, alpha):
    """That the exact test finds a drop on top of a churn that goes either way equally often."""
    total = 0.0
    for changed in range(1, items + 1):
        fewest = next((k for k in range(changed // 2 + 1) if 2 * binom.cdf(k, changed, 0.5) > alpha), 0)
        is_lost = (churn / 2 + drop) / (churn + drop)
        total += binom.pmf(changed, items, churn + drop) * binom.cdf(fewest - 1, changed, 1 - is_lost)
    return float(total)


def bootstrap_interval(differences, level):
    found = bootstrap(
        (numpy.array(differences, float),), numpy.mean, n_resamples=100_000, confidence_level=level, method="percentile",
        rng=numpy.random.default_rng(1),
    ).confidence_interval
    return float(found.low), float(found.high)


rng = numpy.random.default_rng(6)
flips = [[int(x) for x in rng.integers(-4, 5, n)] for n in (2, 5, 9, 13)] + [[1] * 10, [-3, 0, 0, 3], [2, -1, 0]]
families = [[0.01], [0.04, 0.01, 0.03, 0.005], [1.0, 1.0, 1.0], [0.001, 0.001, 0.5, 0.02], [float(p) for p in rng.random(12)]]
shares = [(0.5, 0.4), (0.9, 0.95), (0, 1), (0.02, 0.01), (0.3, 0.3)]
designs = [(50, 0.1, 0.2), (100, 0, 0.1), (100, 0.1, 0.15), (200, 0.2, 0.12), (400, 0.05, 0.05), (1000, 0.2, 0.05)]
clusters = [[4, -4] + [int(x) for x in rng.integers(-4, 5, 25)], [4, -4] + [int(x) for x in rng.integers(-2, 4, 60)]]


def lined(rows):
    return "[\n" + ",\n".join("    " + json.dumps(row) for row in rows) + "\n  ]"


text = "{\n  " + ",\n  ".join(f'"{name}": {rows}' for name, rows in {
    "versions": json.dumps({one.__name__: one.__version__ for one in (numpy, scipy, statsmodels, sklearn)}),
    "mcnemar": lined([*t, float(mcnemar([t[:2], t[2:]], exact=True).pvalue)] for t in TABLES),
    "newcombe": lined([*t, level, *newcombe(*t, level)] for t in TABLES for level in (0.9, 0.95)),
    "sign_flips": lined([one, sign_flips(one)] for one in flips),
    "adjusted": lined(
        [ps, [float(p) for p in false_discovery_control(ps)], [float(p) for p in multipletests(ps, method="fdr_bh")[1]]]
        for ps in families
    ),
    "effect": lined([*pair, float(proportion_effectsize(pair[1], pair[0]))] for pair in shares),
    "power": lined([*one, 0.05, power_of_mcnemar(*one, 0.05)] for one in designs),
    "bootstrap": lined([one, 0.95, *bootstrap_interval(one, 0.95)] for one in clusters),
}.items()) + "\n}\n"
pathlib.Path(__file__).with_name("recorded.json").write_text(text)
