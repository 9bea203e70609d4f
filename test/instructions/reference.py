"""The package's own evaluation, called as its users call it but without its data: what ours is compared with.

In:  one JSON object a line, {"family", "reply", "instructions"}
Out: one JSON list a line, [[strict, loose], ...]
"""

import importlib
import json
import logging
import os
import sys
import sysconfig
import types

sys.modules["datasets"] = types.SimpleNamespace(load_dataset=None)
import nltk  # noqa: E402

nltk.data.path[:] = [os.path.join(sysconfig.get_paths()["purelib"], "llama_index", "core", "_static", "nltk_cache")]
nltk.download = lambda *_args, **_named: False
logging.disable(logging.CRITICAL)

from if_verifiable.common import evaluate_instructions  # noqa: E402
from langdetect import DetectorFactory  # noqa: E402

DetectorFactory.seed = 0
for line in sys.stdin:
    case = json.loads(line)
    registry = importlib.import_module(f"if_verifiable.{case['family']}.instructions_registry").INSTRUCTION_DICT
    results, _ = evaluate_instructions(
        case["reply"],
        [one["id"] for one in case["instructions"]],
        [one["kwargs"] for one in case["instructions"]],
        "",
        registry,
    )
    print(json.dumps([[one.strict_pass, one.loose_pass] for one in results]))
