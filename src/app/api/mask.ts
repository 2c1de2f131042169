import { ExactNumber, WrittenObject } from '#contract/json.ts';
import { maskedAt, placesOf, secretsIn } from '#contract/masking.ts';
import { secretIsSet } from '#contract/secrets.ts';

/** Names such as apiKey, x-api-key, primarySigningKey, access_token and userJwt, in any notation. */
const secretName = /(api|signing)[-_]?key$|token$|jwt$|payment[-_]?file$/i;
/**
 * Returns a copy of the value with secrets replaced by `secretIsSet`: strings under a secret's name, also within a
 * text, tokens anywhere, and links of payment files (behaviour, section 10.8). A changed setting has its name in `key` and its secret in
 * `value`.
 */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskedAt(value, placesOf(value, secretsIn));
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (value instanceof WrittenObject) return new WrittenObject(maskedMembers(value.members));
  return Object.fromEntries(maskedMembers(Object.entries(value)));
}

/** The members of an object with their secrets replaced. */
function maskedMembers(members: WrittenObject['members']): WrittenObject['members'] {
  const isSecret = members.some(([name, inner]) => name === 'key' && secretName.test(String(inner)));
  return members.map(([name, inner]) => {
    const secret =
      typeof inner === 'string' && inner !== '' && (secretName.test(name) || (isSecret && name === 'value'));
    return [name, secret ? secretIsSet : masked(inner)] as const;
  });
}
