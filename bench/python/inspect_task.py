"""One evaluation with inspect_ai, as fast as its settings allow while samples are still written to its log.

Arguments: address of the server, the model's name, a JSON Lines file with `id` and `prompt`, a folder for logs, requests in
flight at once, most tokens of a reply.
"""

import json
import sys

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate

url, model, prompts, logs, in_flight, max_tokens = sys.argv[1:]
with open(prompts, encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]

[log] = eval(
    Task(
        dataset=MemoryDataset([Sample(id=row["id"], input=row["prompt"]) for row in rows]),
        solver=generate(),
    ),
    model=f"openai-api/bench/{model}",
    model_base_url=f"{url}/v1",
    model_args={"api_key": "none"},
    display="none",
    log_dir=logs,
    log_level="error",
    log_realtime=False,
    log_model_api=False,
    acp_server=False,
    ctl_server=False,
    score=False,
    max_connections=int(in_flight),
    max_samples=int(in_flight),
    adaptive_connections=False,
    max_tokens=int(max_tokens),
    temperature=0.7,
)
answered = [sample for sample in log.samples or [] if sample.error is None and sample.output.completion]
if log.status != "success" or len(answered) != len(rows):
    raise SystemExit(f"{log.status}: {len(answered)} of {len(rows)} samples answered; {log.error}")
