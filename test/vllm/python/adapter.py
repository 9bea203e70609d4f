"""A LoRA adapter of noise for a model folder: adapter.py <model folder> <folder>. The same noise each time."""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

model, folder = Path(sys.argv[1]), Path(sys.argv[2])
config = json.loads((model / "config.json").read_text())
hidden, heads = config["hidden_size"], config["num_attention_heads"]
rank, noise = 4, torch.Generator().manual_seed(7)

weights = {}
for layer in range(config["num_hidden_layers"]):
    at = f"base_model.model.model.layers.{layer}.self_attn.q_proj"
    weights[f"{at}.lora_A.weight"] = torch.randn(rank, hidden, generator=noise) / hidden**0.5
    weights[f"{at}.lora_B.weight"] = torch.randn(heads * config["head_dim"], rank, generator=noise) / 4

folder.mkdir(parents=True, exist_ok=True)
save_file(weights, folder / "adapter_model.safetensors")
settings = {
    "peft_type": "LORA",
    "task_type": "CAUSAL_LM",
    "base_model_name_or_path": str(model),
    "r": rank,
    "lora_alpha": 8,
    "lora_dropout": 0.0,
    "bias": "none",
    "target_modules": ["q_proj"],
}
(folder / "adapter_config.json").write_text(json.dumps(settings, indent=2))
