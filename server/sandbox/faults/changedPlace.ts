import { isObject, jsonIn, stringify, type Json } from '#contract/json.ts';

/**
 * Makes a body differ at a place, in the words in which a difference from the description is told
 * (server/description/differences.ts): what the console has found at another service happens here.
 */

/** A value of each kind. A number that is no whole one, and a text that no pattern or format fits, differ from most. */
const values: Readonly<Record<string, Json>> = {
  null: null,
  'a text': 'text',
  'a number': 0.5,
  'a whole number': 1,
  'true or false': true,
  'an object': {},
  'a list': [],
  'another text': '\u00a0',
};

/** Longest text and list that are made, whatever a rule asks for. */
const most = { characters: 100_000, elements: 5000 } as const;

const sized = (pattern: RegExp, came: string): number | undefined => {
  const [, size] = pattern.exec(came) ?? [];
  return size === undefined ? undefined : Number(size);
};

/** The value that comes in place of `value`; undefined for none. */
function valueFor(came: string, value: Json | undefined): Json | undefined {
  if (came === 'nothing') return undefined;
  if (Object.hasOwn(values, came)) return values[came];
  const characters = sized(/^a text of (\d+) characters$/, came);
  if (characters !== undefined) return 'x'.repeat(Math.min(characters, most.characters));
  const elements = sized(/^a list of (\d+)$/, came);
  if (elements !== undefined) {
    const known = Array.isArray(value) && value.length > 0 ? value : [null];
    return Array.from({ length: Math.min(elements, most.elements) }, (_, index) => known[index % known.length]!); // within it
  }
  const given = jsonIn(came) as Json | undefined; // of a JSON text
  // A long value is told by its beginning.
  return given ?? came.replace(/^"/, '');
}

/** The first member of a path and the rest: of the object's own members the longest that fits, as names may have dots. */
function firstStep(object: Readonly<Record<string, Json>>, path: string): [name: string, rest: string] {
  const own = Object.keys(object)
    .filter((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[]`))
    .sort((one, other) => other.length - one.length);
  const name = own[0] ?? /^[^.[]*/.exec(path)?.[0] ?? '';
  return [name, path.slice(name.length).replace(/^\./, '')];
}

/** Returns a value that differs at a path such as `data[].country`, in each element of a list; as it is if it has no such place. */
export function changedAt(value: Json, path: string, came: string): Json {
  if (path === '') return valueFor(came, value) ?? null;
  if (path.startsWith('[]')) {
    const rest = path.slice(2).replace(/^\./, '');
    return Array.isArray(value) ? value.map((each) => changedAt(each, rest, came)) : value;
  }
  if (!isObject(value)) return value;
  const [name, rest] = firstStep(value, path);
  if (rest !== '')
    return Object.hasOwn(value, name) ? { ...value, [name]: changedAt(value[name]!, rest, came) } : value; // its own
  const { [name]: before, ...others } = value;
  const next = valueFor(came, before);
  return next === undefined ? others : { ...value, [name]: next };
}

/** A response, or the body of a webhook, as it is sent. */
interface Sent {
  status: number;
  /** '' for none. */
  type: string;
  body: string;
}

/** A body that is not JSON. */
const notJson = 'This is not JSON.';

/** What comes in place of a whole response; undefined if `came` says nothing about that. */
function changedWhole(sent: Sent, came: string): Sent | undefined {
  const status = sized(/^status (\d{3})$/, came);
  if (status !== undefined) return { ...sent, status };
  if (came === 'no type') return { ...sent, type: '' };
  if (came.startsWith('type ')) return { ...sent, type: came.slice('type '.length) };
  if (came === 'no body') return { ...sent, type: '', body: '' };
  const half = /^(?:status (\d{3}) and )?half a body$/.exec(came);
  if (half) return { ...sent, status: Number(half[1] ?? sent.status), body: sent.body.slice(0, sent.body.length / 2) };
  const body = sent.body === '' ? '{}' : notJson;
  if (came === 'text' || came === 'a body') return { ...sent, type: '', body };
  return /^[\w.+-]+\/[\w.+-]+$/.test(came) ? { ...sent, type: came, body } : undefined;
}

/** Returns a response that differs at a place of its body, or as a whole if `path` is ''. */
export function changedResponse(sent: Sent, { path, came }: { path: string; came: string }): Sent {
  const whole = path === '' ? changedWhole(sent, came) : undefined;
  if (whole) return whole;
  const value = jsonIn(sent.body) as Json | undefined; // of a JSON text
  return value === undefined ? sent : { ...sent, body: stringify(changedAt(value, path, came)) };
}
