// Which family of models a model belongs to, told from its name.

/** `8B`, `0.5b`, `135m`, `8x7B`, `E4B`: how names say a number of parameters. */
const size = /(?<=.)[-_ ](?:\d+x|[ea])?\d+(?:\.\d+)?[bmt](?=$|[-_ .:])/i;

/**
 * What stands before the size in the last part of a name: `Qwen/Qwen3.5-27B` is of `Qwen3.5`, `gpt-oss-20b` of `gpt-oss`. A name without
 * a size (`GLM-4.7`) is a family of its own.
 */
export function familyOf(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1) || model;
  const at = name.search(size);
  return at < 0 ? name : name.slice(0, at);
}

/** Models by family, both in order of first appearance; spelling in capitals or not makes no difference. */
export function familiesOf(models: string[]): { family: string; models: string[] }[] {
  const families = new Map<string, { family: string; models: string[] }>();
  for (const model of new Set(models)) {
    const family = familyOf(model);
    const found = families.get(family.toLowerCase()) ?? { family, models: [] };
    found.models.push(model);
    families.set(family.toLowerCase(), found);
  }
  return [...families.values()];
}
