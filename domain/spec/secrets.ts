// Keys and passwords do not belong in a config: it is copied into the store and into reports.

const shapes = [
  /\b(?:sk|pk|rk|nvapi)-(?=[A-Za-z0-9_-]{0,100}\d)[A-Za-z0-9_-]{16,}/,
  /\b(?:hf|gsk|r8|ghp|gho|ghu|ghs)_[A-Za-z0-9]{16,}/,
  /\bgithub_pat_[A-Za-z0-9_]{16,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\beyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{8,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bBearer\s+[^\s"']{8,}/i,
  /:\/\/[^/\s:@"']*:[^/\s@"']+@/,
];

const anyShape = new RegExp(shapes.map((shape) => `(?:${shape.source})`).join('|'), 'gi');

/** Offsets at which something begins that looks like a key, token or password. */
export function secretsIn(text: string): number[] {
  return [...text.matchAll(anyShape)].map((match) => match.index);
}

/** The text with everything left out that looks like a key, token or password. */
export function hideSecrets(text: string): string {
  return text.replace(anyShape, '…');
}

/** Names under which people put keys. */
export function isSecretName(name: string): boolean {
  return /^(?:(?:api|access|auth|secret)?[_-]?(?:key|token)|.*secret.*|password|auth|authorization|bearer)$/i.test(
    name,
  );
}

/** What an environment keeps under such names, or under names that end like one. Short values are no keys. */
export function keysOf(env: Record<string, string | undefined>): string[] {
  const holdsKey = (name: string) => isSecretName(name) || /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name);
  return Object.entries(env).flatMap(([name, value = '']) => (holdsKey(name) && value.length >= 8 ? [value] : []));
}
