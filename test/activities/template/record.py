"""Writes recorded.jsonl: what transformers itself prints for the test templates (its version is in the first line).

    pip install transformers==5.24.0 jinja2==3.1.6 && python test/activities/template/record.py
"""

import json
import pathlib
from datetime import datetime

import jinja2
import transformers
from transformers.utils import chat_template_utils

HERE = pathlib.Path(__file__).parent
TEMPLATES = HERE.parent.parent / "domain" / "probe" / "templates"


class Frozen(datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2026, 1, 2)


def said(*turns):
    return [{"role": role, "content": content} for role, content in turns]


CONVERSATIONS = {
    "one turn": said(("user", "Hello")),
    "three turns": said(("user", "Hello"), ("assistant", "Hi."), ("user", "Who?")),
    "system": said(("system", "Be short."), ("user", "Hello"), ("assistant", "Hi."), ("user", "Who?")),
    "answered": said(("user", "Hello"), ("assistant", "Hi.")),
    "padded": said(("user", "  two\n lines \n"), ("assistant", "\tyes "), ("user", " ")),
    "odd": said(("user", "é🙂\u2028\x00<|im_end|>\r\n{{ 1 }}{% if %}"), ("assistant", "&<b>\"'\\"), ("user", "\ud835 \udc00")),
    "empty": said(("user", "")),
    "two users": said(("user", "Hello"), ("user", "Hello?")),
}
KWARGS = [{}, {"quiet": True}]


def rendered(template, conversation, prompt, kwargs):
    try:
        return {"text": chat_template_utils.render_jinja_template(
            [conversation], chat_template=template, add_generation_prompt=prompt,
            bos_token="<s>", eos_token="</s>", **kwargs)[0][0]}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


chat_template_utils.datetime = Frozen
rows = [
    {"template": path.stem, "conversation": name, "messages": conversation, "prompt": prompt, "kwargs": kwargs,
     **rendered(path.read_text(), conversation, prompt, kwargs)}
    for path in sorted(TEMPLATES.glob("*.jinja")) if path.stem != "endless"
    for name, conversation in CONVERSATIONS.items()
    for prompt in (False, True)
    for kwargs in (KWARGS if path.stem == "bare" else KWARGS[:1])
]
versions = {"transformers": transformers.__version__, "jinja2": jinja2.__version__}
lines = [json.dumps(row) for row in [versions, *rows]]
(HERE / "recorded.jsonl").write_text("\n".join(lines) + "\n")
