import { ExactNumber } from '#contract/json.ts';
import { secretIsSet, secretSettings } from '#contract/secrets.ts';

const secretNames = new Set<string>([...secretSettings, 'primarySigningKey', 'signingKey', 'token', 'jwt']);
/** Three dot-separated base64url parts, the first a JSON object: a token wherever it appears. */
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/**
 * The same value with secrets replaced by `secretIsSet`: strings under a secret's name, tokens anywhere (ux, rule 8).
 * A setting that is changed carries its name in `key` and its secret in `value`.
 */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(jwt, secretIsSet);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const named = 'key' in value && secretNames.has(String(value.key));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const secret =
        typeof inner === 'string' && inner !== '' && (secretNames.has(name) || (named && name === 'value'));
      return [name, secret ? secretIsSet : masked(inner)];
    }),
  );
}
