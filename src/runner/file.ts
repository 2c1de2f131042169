import { journeyOrder, journeys, type JourneyId } from '#machines/journeys.ts';
import type { ChoiceKind, Walk } from './actions.ts';
import { table } from './table.ts';

/** The kind and version in a file of journeys. */
export const fileKind = 'payments-out-journeys';
export const fileVersion = 1;

/** Thrown for a file that cannot be run; the message says what is wrong, where, and what is expected. */
export class FileError extends Error {
  constructor(place: string, wrong: string, right: string) {
    super(`${place ? `${place} ` : 'The file '}${wrong}: ${right}.`);
    this.name = 'FileError';
  }
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined; // undefined for undefined
  return text === undefined ? 'missing' : text.length > 60 ? `${text.slice(0, 60)}…` : text;
};
const list = (words: readonly string[]): string => (words.length > 0 ? words.join(', ') : 'none');

function objectAt(place: string, value: unknown, right: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>; // just checked
  throw new FileError(place, place ? `is ${shown(value)}` : 'is not an object', right);
}

function onlyKnown(place: string, given: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new FileError(`${place ? `${place}.` : ''}${unknown}`, `is not ${what}`, `there are ${list(known)}`);
}

function checkChoice(place: string, value: unknown, { is, means }: ChoiceKind): void {
  const isCount = Number.isInteger(value) && Number(value) > 0;
  const isIds = Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string');
  const [fits, wanted] =
    is === 'text'
      ? [typeof value === 'string' && value !== '', 'a text']
      : is === 'yes or no'
        ? [typeof value === 'boolean', 'true or false']
        : is === 'number or ids'
          ? [isCount || isIds, 'a whole number from 1, or a list of texts']
          : [typeof value === 'string' && is.includes(value), `one of ${is.join(', ')}`];
  if (!fits) throw new FileError(place, `is ${shown(value)}`, `it is ${means}; give ${wanted}`);
}

/**
 * Parses one entry of a file of journeys: an id, or `{ journey, values, choices }`. `place` is where it stands, for messages.
 * Throws FileError.
 */
export function walkAt(place: string, entry: unknown): Walk {
  if (typeof entry === 'string') return walkAt(place, { journey: entry });
  const walk = objectAt(place, entry, 'give the id of a journey, or an object with it as "journey"');
  onlyKnown(place, walk, ['journey', 'values', 'choices'], 'part of a journey');
  const { journey, values = {}, choices = {} } = walk;
  if (typeof journey !== 'string' || !Object.hasOwn(journeys, journey))
    throw new FileError(
      `${place}.journey`,
      `is ${shown(journey)}, which is not a journey`,
      `there are ${list(journeyOrder)}`,
    );
  const id = journey as JourneyId; // a key of the table
  const [at, given] = [`${place}.values`, objectAt(`${place}.values`, values, 'give an object of texts by field')];
  const { fields: own, choices: possible = {} } = table[id];
  if (own) onlyKnown(at, given, own, `a field of ${id}`);
  for (const [field, value] of Object.entries(given))
    if (typeof value !== 'string')
      throw new FileError(`${at}.${field}`, `is ${shown(value)}`, 'give a text, in quotation marks');
  const chosen = objectAt(`${place}.choices`, choices, 'give an object of choices');
  onlyKnown(`${place}.choices`, chosen, Object.keys(possible), `a choice of ${id}`);
  for (const [name, kind] of Object.entries(possible))
    if (Object.hasOwn(chosen, name)) checkChoice(`${place}.choices.${name}`, chosen[name], kind);
  return { journey: id, values: given as Walk['values'], choices: chosen as Walk['choices'] }; // checked above
}

/**
 * Parses a file of journeys: JSON with `kind`, `version` and `journeys`, a list of ids or `{ journey, values, choices
 * }`, which run in this order. Fields that come from rules are checked when their form opens. Throws FileError.
 */
export function parseWalks(text: string): Walk[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new FileError(
      '',
      `is not JSON (${(error as Error).message})`,
      'give a file of journeys, as docs/journeys.md describes it',
    ); // JSON.parse throws errors
  }
  const file = objectAt('', parsed, `give { "kind": "${fileKind}", "version": ${fileVersion}, "journeys": […] }`);
  if (file['kind'] !== fileKind)
    throw new FileError('kind', `is ${shown(file['kind'])}`, `a file of journeys says "${fileKind}"`);
  if (file['version'] !== fileVersion)
    throw new FileError('version', `is ${shown(file['version'])}`, `this console reads version ${fileVersion}`);
  onlyKnown('', file, ['kind', 'version', 'journeys'], 'part of the file');
  const { journeys: walks } = file;
  if (!Array.isArray(walks) || walks.length === 0)
    throw new FileError('journeys', `is ${shown(walks)}`, 'give a list of at least one journey, in their order');
  return walks.map((walk, index) => walkAt(`journeys[${index}]`, walk));
}

/** A journey without values and choices. */
export const plain = (journey: JourneyId): Walk => ({ journey, values: {}, choices: {} });
