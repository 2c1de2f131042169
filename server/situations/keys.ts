import { randomBytes } from 'node:crypto';
import { isObject } from '#contract/json.ts';
import { isSecretName } from '#contract/secretNames.ts';

/** A text so short is no key, and might be part of another text. */
const shortest = 16;

const placeholder = (index: number): string => `{{key ${index}}}`;

function jsonIn(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** All texts whose member has the name of a secret, at any depth, also within texts that contain JSON. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    const inner = jsonIn(value);
    if (inner !== undefined) return secretsIn(inner);
    return isSecretName(name) && value.length >= shortest && !value.startsWith('$') ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, name));
  return isObject(value) ? Object.entries(value).flatMap(([member, each]) => secretsIn(each, member)) : [];
}

/** Replaces all keys in a value by placeholders; returns it with their lengths. */
export function withoutKeys<T>(value: T): { value: T; keys: number[] } {
  const secrets = [...new Set(secretsIn(value))].sort((one, other) => other.length - one.length);
  const text = secrets.reduce(
    (all, secret, index) => all.replaceAll(secret, placeholder(index)),
    JSON.stringify(value),
  );
  return { value: JSON.parse(text) as T, keys: secrets.map(({ length }) => length) };
}

/** Replaces each placeholder by a new key of the same length, and one address by another. */
export function withNewKeys<T>(value: T, keys: readonly number[], { from, to } = { from: '', to: '' }): T {
  const text = keys.reduce(
    (all, length, index) =>
      all.replaceAll(placeholder(index), randomBytes(length).toString('base64url').slice(0, length)),
    from === '' ? JSON.stringify(value) : JSON.stringify(value).replaceAll(from, to),
  );
  return JSON.parse(text) as T; // of the same form
}
