"""Reads every part under a store with nothing but the standard library and prints one JSON line per record."""

import glob
import gzip
import hashlib
import json
import sys


def canonical(value):
    """RFC 8785, for values whose keys are ASCII and whose numbers are whole: what a result is made of."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")  # fails on half a character


for path in sorted(glob.glob(f"{sys.argv[1]}/stages/*/*/part-*.jsonl.gz")):
    # As text, by whatever Python takes for the end of a line.
    with gzip.open(path, "rb") as part:
        lines = part.read().decode("utf-8").splitlines()
    for line in lines:
        record = json.loads(line)
        result = record["result"]
        body = result.get("body", {})
        seen = {
            "item": result["item"],
            "stage": result["stage"],
            "status": result["status"],
            "stated": record["hash"],
            "computed": hashlib.sha256(canonical(result)).hexdigest(),
            "text": body.get("text"),
            "utf16": body.get("utf16"),
            "error": result.get("error", {}).get("kind"),
        }
        print(json.dumps(seen))
