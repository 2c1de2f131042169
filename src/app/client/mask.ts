import { ExactNumber, WrittenObject } from '#contract/json.ts';
import { describesSecret, holdsNamed, isSecretName, isSentence, namesMember } from '#contract/secretNames.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { maskSecrets } from '#contract/secretShapes.ts';

type Members = WrittenObject['members'];

/**
 * Returns a copy of the value with secrets replaced by `secretIsSet`: strings and numbers under a secret's name, also within a
 * text, a list or an object, tokens anywhere, and links of payment files (behaviour, section 10.8). An object or a pair
 * may say by a text what its value is, as a changed setting has its name in `key` and its secret in `value`.
 */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) {
    const [name, secret] = value as unknown[];
    return value.length === 2 && isNameOfSecret(name) ? [name, hidden(secret)] : value.map(masked);
  }
  return inMembers(value, maskedMembers);
}

const isNameOfSecret = (name: unknown): boolean => typeof name === 'string' && isSecretName(name);

/** A copy of an object with its members changed; any other value as it is. */
function inMembers(value: unknown, change: (members: Members) => Members): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (value instanceof WrittenObject) return new WrittenObject(change(value.members));
  return Object.fromEntries(change(Object.entries(value)));
}

/** A secret's value: texts and numbers are replaced, also in lists and objects, but not what describes them. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  const isShown = typeof value === 'string' ? value !== '' : typeof value === 'number' || value instanceof ExactNumber;
  if (isShown) return secretIsSet;
  return inMembers(value, (members) =>
    members.map(([name, inner]) => [name, describesSecret(name) ? masked(inner) : hidden(inner)] as const),
  );
}

/** The members of an object with their secrets replaced. */
function maskedMembers(members: Members): Members {
  const isSecret = members.some(([name, inner]) => namesMember(name) && isNameOfSecret(inner));
  return members.map(([name, inner]) => {
    const isNamed =
      isSecretName(name) || (isSecret && holdsNamed(name) && !(typeof inner === 'string' && isSentence(inner)));
    return [name, isNamed ? hidden(inner) : masked(inner)] as const;
  });
}
