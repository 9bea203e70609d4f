"""Checks replies against the instructions of IFEval and IFBench: one JSON object a line in, one a line out.

In:  {"id", "family", "reply", "instructions": [{"id", "kwargs"}], "seed", "seconds"}
Out: {"id", "results": [{"strict", "loose", "random", "reason"}]} or {"id", "error"}

The checkers are those of the package if-verifiable; how their answers are put together is ours. `strict`: the reply
follows the instruction as it is; `loose`: it does in one of eight forms. Both are null, with a `reason`, where the
checker raises on the whole reply or cannot be set up; a form it raises on is not followed. `random`: the checker rolled
a die to fill in what its arguments leave open. Dice and language detection are seeded, so that the same line in gives
the same line out. Nothing here may open a connection. `seconds` bounds the computing time of one line.
"""

import importlib
import json
import logging
import os
import random
import signal
import sys
import sysconfig
import types

SITE = sysconfig.get_paths()["purelib"]
NLTK_DATA = os.path.join(SITE, "llama_index", "core", "_static", "nltk_cache")
MEMORY_BYTES = 2 << 30
LANGUAGE_SEED = 0


class OutOfTime(BaseException):
    """Not an Exception, so that no checker takes it for one of its own."""


class Dice(random.Random):
    """What the checkers roll. Remembers whether they did."""

    rolled = False

    def random(self):
        self.rolled = True
        return super().random()

    def getrandbits(self, k):
        self.rolled = True
        return super().getrandbits(k)


def no_connections(event, _args):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn")):
        raise PermissionError(f"{event}: the checkers may not reach out")


def load_checkers():
    """The checkers of both families, by id. Their package is entered by its side doors: its front door fetches data."""
    import langdetect.detector_factory as languages
    import nltk

    nltk.data.path[:] = [NLTK_DATA]
    nltk.download = lambda *_args, **_named: False
    # Five seconds by the clock, which on a busy machine would come at another time: the limit here is computing time.
    nltk.redos.DEFAULT_TIMEOUT = None
    package = types.ModuleType("if_verifiable")
    package.__path__ = [os.path.join(SITE, "if_verifiable")]
    sys.modules["if_verifiable"] = package
    logging.disable(logging.CRITICAL)
    languages._factory = language_factory(languages)
    return {family: Family(family) for family in ("ifeval", "ifbench")}


def language_factory(languages):
    """langdetect's own, but the profiles in an order that does not depend on the disk, and seeded."""
    factory = languages.DetectorFactory()
    factory.set_seed(LANGUAGE_SEED)
    profiles = []
    for name in sorted(os.listdir(languages.PROFILES_DIRECTORY)):
        with open(os.path.join(languages.PROFILES_DIRECTORY, name), encoding="utf-8") as file:
            profiles.append(file.read())
    factory.load_json_profile(profiles)
    return factory


class Family:
    def __init__(self, name):
        self.modules = [importlib.import_module(f"if_verifiable.{name}.{part}") for part in PARTS]
        self.checkers = importlib.import_module(f"if_verifiable.{name}.instructions_registry").INSTRUCTION_DICT

    def give(self, dice):
        for module in self.modules:
            module.random = dice


PARTS = ("instructions", "instructions_util")


def loose_forms(reply):
    """The reply, without its first line, its last, and both; each also without asterisks."""
    lines = reply.split("\n")
    cut = [reply, *("\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1]))]
    return [*cut, *(form.replace("*", "") for form in cut)]


def check(family, instruction, reply, seed):
    dice = Dice(seed)
    dice.rolled = False
    family.give(dice)
    if instruction["id"] not in family.checkers:
        return unchecked("there is no such instruction", False)
    try:
        checker = family.checkers[instruction["id"]](instruction["id"])
        checker.build_description(**{name: value for name, value in instruction["kwargs"].items() if value is not None})
    except Exception as error:
        return unchecked(f"its arguments do not fit: {told(error)}", False)
    rolled = dice.rolled
    if not reply.strip():
        return {"strict": False, "loose": False, "random": rolled, "reason": None}
    try:
        strict = bool(checker.check_following(reply))
    except Exception as error:
        return unchecked(f"its check fails: {told(error)}", rolled)
    loose = strict or any(follows(checker, form) for form in loose_forms(reply)[1:])
    return {"strict": strict, "loose": loose, "random": rolled, "reason": None}


def follows(checker, form):
    if not form.strip():
        return False
    try:
        return bool(checker.check_following(form))
    except (MemoryError, TimeoutError):
        raise
    except Exception:
        return False


def unchecked(reason, rolled):
    return {"strict": None, "loose": None, "random": rolled, "reason": reason}


def told(error):
    """A line of it: messages may repeat a text, which may hold anything."""
    if isinstance(error, (MemoryError, TimeoutError)):
        raise error
    if isinstance(error, LookupError) and "nltk.download" in str(error):
        name = str(error).split("Resource ")[-1].split()[0].strip("'")
        return f"it needs NLTK's {name}, which no package brings"
    return f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"


def answer(families, request):
    try:
        with_limit(request["seconds"])
        try:
            reply = request["reply"].strip()
            results = [
                check(families[request["family"]], one, reply, f"{request['seed']} {place} {one['id']}")
                for place, one in enumerate(request["instructions"])
            ]
            return {"id": request["id"], "results": results}
        finally:
            with_limit(0)
    except (OutOfTime, TimeoutError):
        with_limit(0)  # It may have come before the first one was through.
        return {"id": request["id"], "error": f"not finished after {request['seconds']:g} s of computing"}
    except MemoryError:
        return {"id": request["id"], "error": f"needs more than {MEMORY_BYTES >> 30} GiB of memory"}


def with_limit(seconds):
    # Computing time, not wall time: a busy machine must not fail an item. Inside one long operation in C only the
    # other side's watchdog helps. It repeats: Python drops what is raised inside a finalizer.
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.1 if seconds else 0)


def out_of_time(_signal, _frame):
    raise OutOfTime


def limit_memory():
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main():
    limit_memory()
    sys.addaudithook(no_connections)
    try:
        families = load_checkers()
    except ImportError as error:
        print(json.dumps({"fatal": f"the answer checkers are not installed for {sys.executable}: {error}"}), flush=True)
        sys.exit(3)
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, out_of_time)
    for line in sys.stdin.buffer:
        print(json.dumps(answer(families, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
