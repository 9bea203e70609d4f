"""Renders chat templates for uturn: one JSON object a line in, one a line out.

In:  {"id", "template", "kwargs", "bos_token", "eos_token", "date", "seconds",
      "conversations": [{"messages", "add_generation_prompt"}, …]}
Out: {"id", "renderings": [{"text"} or {"error"}, …]}, with "limit": true where a rendering was cut off

The engine is jinja2, set up as transformers sets it up for chat templates, except for the clock: `date` (ISO, with
or without a time) is what `strftime_now` formats. With `date` null a template may read the clock only if that
changes nothing. `seconds` bounds the computing time of one rendering; one operation that Python cannot interrupt
ends the process (SIGVTALRM). Lines are ASCII: JSON escapes carry every code unit, lone surrogates too.
"""

import functools
import json
import signal
import sys
from datetime import datetime

try:
    import jinja2
    from jinja2 import nodes
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment
except ImportError:
    print(json.dumps({"fatal": f"jinja2 is not installed for {sys.executable}"}), flush=True)
    sys.exit(3)

# Two dates that differ in every part, the weekday and the century included.
OTHER_DATES = (datetime(1999, 1, 2, 3, 4, 5), datetime(2031, 12, 25, 16, 57, 48))
MEMORY_BYTES = 2 << 30
LARGEST_TEXT = 32 << 20
ALONE = "it includes, imports or extends another template, and a chat template stands alone"


class OutOfTime(BaseException):
    """Not an Exception, so that nothing inside jinja2 takes it for a missing attribute."""


class TooLarge(Exception):
    pass


class Generation(Extension):
    """`{% generation %}` marks what the model wrote (for training masks). It changes no text, but opens a scope."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_written"), [], [], body).set_lineno(line)

    def _written(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


@functools.lru_cache(maxsize=64)
def compiled(template):
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    return environment.from_string(template)


def render(request, conversation):
    if request["date"] is not None:
        return render_at(request, conversation, datetime.fromisoformat(request["date"]))[0]
    text, read_clock = render_at(request, conversation, OTHER_DATES[0])
    if read_clock and render_at(request, conversation, OTHER_DATES[1])[0] != text:
        raise ValueError("the template prints the date, and no date was frozen for it")
    return text


def render_at(request, conversation, now):
    """The text, and whether the template asked for the time."""
    asked = []

    def strftime_now(form):
        asked.append(form)
        return now.strftime(form)

    tokens = {name: request[name] for name in ("bos_token", "eos_token") if request[name] is not None}
    values = {"tools": None, "documents": None, "strftime_now": strftime_now, **tokens, **request["kwargs"]}
    values["messages"] = conversation["messages"]
    values["add_generation_prompt"] = conversation["add_generation_prompt"]
    pieces = []
    room = LARGEST_TEXT
    for piece in compiled(request["template"]).generate(values):
        room -= len(piece)
        if room < 0:
            raise TooLarge
        pieces.append(piece)
    return "".join(pieces), bool(asked)


def answer(request):
    return {"id": request["id"], "renderings": [rendering(request, one) for one in request["conversations"]]}


def rendering(request, conversation):
    try:
        with_limit(request["seconds"])
        try:
            return {"text": render(request, conversation)}
        finally:
            with_limit(0)
    except OutOfTime:
        with_limit(0)  # It may have come before the first one was through.
        return cut_off(f"not finished after {request['seconds']:g} s of computing")
    except TooLarge:
        return cut_off(f"it prints more than {LARGEST_TEXT >> 20} million characters")
    except MemoryError:
        return cut_off(f"it needs more than {MEMORY_BYTES >> 30} GB of memory")
    except Exception as error:
        alone = isinstance(error, TypeError) and str(error).startswith("no loader for this environment")
        return {"error": ALONE if alone else f"{type(error).__name__}: {error}"}


def cut_off(why):
    return {"error": why, "limit": True}


def with_limit(seconds):
    # Computing time, not wall time: on a busy machine a good template must not fail. Inside one long operation
    # in C no Python code runs, so the second timer is nobody's to handle and ends the process. Where there are no
    # such timers only the other side's watchdog helps. The first one repeats: Python drops what is raised inside
    # a finalizer.
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.1 if seconds else 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 * seconds)


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
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, out_of_time)
    for line in sys.stdin.buffer:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
