import { companyHeader, stepHeader, subjectHeader } from '#contract/constants.ts';
import { programTokenHeader } from '#contract/programs.ts';
import { Failure } from '#server/failure.ts';
import { header } from '#contract/requests/headers.ts';
import type { Guard } from './guards.ts';

/** The idempotency key of a write of the console's own API. */
const consoleKey = 'Idempotency-Key';

/** Headers of a call that have one value. */
const ofCalls = [
  header.application,
  header.apiKey,
  header.interaction,
  header.idempotency,
  header.nonce,
  header.signature,
  header.organisation,
  header.company,
  'authorization',
  'content-type',
  'content-length',
];

/** Names of headers by the name in lower case. */
type HeaderNames = ReadonlyMap<string, string>;

const named = (names: readonly string[]): HeaderNames => new Map(names.map((name) => [name.toLowerCase(), name]));

/** Headers that have one value, and address the console or authenticate a caller of it. */
export const ofConsole = named([
  'host',
  'origin',
  consoleKey,
  programTokenHeader,
  companyHeader,
  stepHeader,
  subjectHeader,
  'webhook-id',
  'webhook-timestamp',
]);

/** Headers with one value whose field may occur once, although its value has commas. */
const withCommas: readonly string[] = [header.idempotency, consoleKey, 'webhook-signature'];

const singleHeaders = named([...ofCalls, ...ofConsole.values(), ...withCommas]);

/** An idempotency key: 1 to 200 visible ASCII characters. */
export const isIdempotencyKey = (key: string): boolean => /^[\x21-\x7e]{1,200}$/.test(key);

export interface HeaderFault {
  name: string;
  /** What is wrong, without the header's name. */
  message: string;
}

/**
 * Returns what is wrong with the headers that have one value: each of two values could be the one that counts, and Node
 * takes the first or joins them. `raw` has names and values in turn, as received; only headers of these names are looked
 * at.
 */
export function headerFault(raw: readonly string[], names = singleHeaders): HeaderFault | undefined {
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [given, value] = [raw[at]!.toLowerCase(), raw[at + 1]!]; // within the list
    const name = names.get(given);
    if (name === undefined) continue;
    if (found.has(name)) return { name, message: 'was sent more than once; send it once' };
    found.set(name, value);
    if (!withCommas.includes(name) && /,\s/.test(value))
      return { name, message: 'holds several values, joined by a comma; send one' };
  }
  for (const name of [header.idempotency, consoleKey])
    if (!isIdempotencyKey(found.get(name) ?? 'none'))
      return { name, message: 'holds no key of 1 to 200 visible ASCII characters, such as a UUID' };
  return undefined;
}

/** Throws `invalid-request` for a header of one value that has several, or for an idempotency key that is none. */
export function checkSingleHeaders(raw: readonly string[], names?: HeaderNames): void {
  const fault = headerFault(raw, names);
  if (!fault) return;
  const { name, message } = fault;
  throw new Failure('invalid-request', `The header ${name} ${message}.`, { errors: [{ path: name, message }] });
}

/** Refuses requests whose headers `checkSingleHeaders` refuses. */
export const requireSingleHeaders: Guard = ({ req }) => checkSingleHeaders(req.rawHeaders);
