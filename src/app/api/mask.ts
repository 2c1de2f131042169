import { ExactNumber, WrittenObject } from '#contract/json.ts';
import { isSecretName } from '#contract/secretNames.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { maskSecrets } from '#contract/secretShapes.ts';

/**
 * Returns a copy of the value with secrets replaced by `secretIsSet`: strings and numbers under a secret's name, also within a
 * text, tokens anywhere, and links of payment files (behaviour, section 10.8). A changed setting has its name in `key` and its secret in
 * `value`.
 */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (value instanceof WrittenObject) return new WrittenObject(maskedMembers(value.members));
  return Object.fromEntries(maskedMembers(Object.entries(value)));
}

/** A secret's value: texts, numbers and lists of them are replaced. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  const isShown = typeof value === 'string' ? value !== '' : typeof value === 'number' || value instanceof ExactNumber;
  return isShown ? secretIsSet : masked(value);
}

/** The members of an object with their secrets replaced. */
function maskedMembers(members: WrittenObject['members']): WrittenObject['members'] {
  const isSecret = members.some(([name, inner]) => name === 'key' && isSecretName(String(inner)));
  return members.map(([name, inner]) => {
    const isNamed = isSecretName(name) || (isSecret && name === 'value');
    return [name, isNamed ? hidden(inner) : masked(inner)] as const;
  });
}
