"""A GGUF file as a float32 model folder that vLLM serves: dequantise.py <model.gguf> <folder>.

A tokenizer made from GGUF has its end token wrong: the template's own is put in its place.
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

gguf, folder = Path(sys.argv[1]), Path(sys.argv[2])
where = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}

model = AutoModelForCausalLM.from_pretrained(
    **where, quantization_config=GgufConfig(dequantize=True), dtype=torch.float32
)
for held in ("hf_quantizer", "quantization_method"):
    if hasattr(model, held):
        delattr(model, held)
model.is_quantized = False
if hasattr(model.config, "quantization_config"):
    del model.config.quantization_config

tokenizer = AutoTokenizer.from_pretrained(**where)
tokenizer.eos_token = "<|im_end|>"
tokenizer.pad_token = "<|im_end|>"
end = tokenizer.convert_tokens_to_ids("<|im_end|>")
model.config.eos_token_id = end
model.config.pad_token_id = end
model.generation_config.eos_token_id = end
model.generation_config.pad_token_id = end

model.save_pretrained(folder)
tokenizer.save_pretrained(folder)
print(f"{sum(one.numel() for one in model.parameters())} parameters, end token {end}")
