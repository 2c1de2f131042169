import { randomBytes } from 'node:crypto';
import { isObject, jsonIn, parse, stringify } from '#contract/json.ts';
import { isSecretName } from '#contract/secretNames.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';

/** A text so short is no key, and might be part of another text. */
const shortest = 16;

const placeholder = (index: number): string => `{{key ${index}}}`;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const parsedIn = (text: string): unknown => (/^[[{]/.test(text) ? jsonIn(text) : undefined);

/**
 * All texts whose member has the name of a secret, at any depth, also within texts that contain JSON; and the ids of
 * consents to debtors and creditors, by which whoever has the link gives them.
 */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    const inner = parsedIn(value);
    if (inner !== undefined) return secretsIn(inner);
    return isSecretName(name) && value.length >= shortest && !value.startsWith('$') ? [value] : [];
  }
  if (isList(value)) return value.flatMap((each) => secretsIn(each, name));
  if (!isObject(value)) return [];
  const { consentId, task } = value;
  const isOfParty = typeof consentId === 'string' && isObject(task) && task['kind'] === 'party';
  const own = isOfParty ? [consentId] : [];
  return [...own, ...Object.entries(value).flatMap(([member, each]) => secretsIn(each, member))];
}

/** Replaces all keys in a value by placeholders; returns it with their lengths. */
export function withoutKeys<T>(value: T): { value: T; keys: number[] } {
  const secrets = [...new Set(secretsIn(value))].sort((one, other) => other.length - one.length);
  const text = secrets.reduce((all, secret, index) => all.replaceAll(secret, placeholder(index)), stringify(value));
  return { value: parse(text) as T, keys: secrets.map(({ length }) => length) };
}

/** Replaces each placeholder by a new key of the same length. */
export function withNewKeys<T>(value: T, keys: readonly number[]): T {
  const text = keys.reduce(
    (all, length, index) =>
      all.replaceAll(placeholder(index), randomBytes(length).toString('base64url').slice(0, length)),
    stringify(value),
  );
  return parse(text) as T; // of the same form
}

/** What stands in a file for the places of a sandbox, whose path only its user knows. No address ends with `.invalid`. */
const placeholders = ['https://sandbox.invalid', 'https://pages.sandbox.invalid', '{{application}}'] as const;

const placesOf = ({ baseUrl, providerUrl, applicationId }: UpstreamConfig) => [baseUrl, providerUrl, applicationId];

/** Replaces texts by others, those that contain others first. */
const replaced = <T>(value: T, pairs: readonly (readonly [from: string, to: string])[]): T =>
  parse(
    pairs
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((all, [from, to]) => all.replaceAll(from, to), stringify(value)),
  ) as T; // of the same form

export const withoutPlaces = <T>(value: T, config: UpstreamConfig): T =>
  replaced(
    value,
    placesOf(config).map((place, index) => [place, placeholders[index]!]), // as many
  );

export const withPlaces = <T>(value: T, config: UpstreamConfig): T =>
  replaced(
    value,
    placesOf(config).map((place, index) => [placeholders[index]!, place]), // as many
  );
