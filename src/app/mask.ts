import { ExactNumber } from '#contract/json.ts';
import { secretIsSet } from '#contract/secrets.ts';

/** apiKey, x-api-key, primarySigningKey, access_token, userJwt, however written. */
const secretName = /(api|signing)[-_]?key$|token$|jwt$/i;
/** The same within a text: JSON in JSON, a header, an address. */
const named = /((?:api|signing)[-_]?key|token|jwt)(\\*"?\s*[:=]\s*\\*"?)(?:[^\s"\\&,;]|\\[^"\\]){16,}/gi;
/** Three dot-separated base64url parts, the first a JSON object: a token wherever it appears. */
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/**
 * The same value with secrets replaced by `secretIsSet`: strings under a secret's name, also within a text, and tokens
 * anywhere (behaviour, section 10.8).
 * A setting that is changed carries its name in `key` and its secret in `value`.
 */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(jwt, secretIsSet).replace(named, `$1$2${secretIsSet}`);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const isSecret = 'key' in value && secretName.test(String(value.key));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const secret =
        typeof inner === 'string' && inner !== '' && (secretName.test(name) || (isSecret && name === 'value'));
      return [name, secret ? secretIsSet : masked(inner)];
    }),
  );
}
