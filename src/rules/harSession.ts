import { isObject, type Json, type JsonObject } from '#contract/json.ts';
import { isSecretName } from '#contract/secretNames.ts';
import { maskSecrets } from '#contract/secretShapes.ts';
import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';
import { counted } from './counted.ts';

/** Largest file (bytes), body (characters) and session (entries) that are shown. */
export const sessionLimits = { bytes: 64 * 1024 * 1024, body: 256 * 1024, entries: 2000 } as const;

/** What a file holds: entries of a timeline, newest first, and what of it is not shown. */
interface Read {
  entries: TimelineEntry[];
  left: string[];
}

/** Throws an error whose message says where the archive is not as the format demands, and what would be right. */
function wrong(place: string, wanted: string): never {
  throw new Error(`It is not an HTTP archive (HAR): ${place} is ${wanted}.`);
}

const objectAt = (value: Json | undefined, place: string): JsonObject =>
  isObject(value) ? value : wrong(place, 'missing: give an object');
const listAt = (value: Json | undefined, place: string): readonly Json[] =>
  Array.isArray(value) ? value : wrong(place, 'missing: give a list');
const textAt = (value: Json | undefined, place: string): string =>
  typeof value === 'string' ? value : wrong(place, 'missing: give a text');
const numberAt = (value: Json | undefined, place: string): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : wrong(place, 'missing: give a number');
const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const numberIn = (value: Json | undefined): number => (typeof value === 'number' && value >= 0 ? value : 0);

/** The headers by their names, with a placeholder for each secret. */
function headersOf(message: JsonObject, place: string): Record<string, string> {
  const headers = message['headers'] === undefined ? [] : listAt(message['headers'], `${place}.headers`);
  return Object.fromEntries(
    headers.map((each, index) => {
      const at = `${place}.headers[${index}]`;
      const header = objectAt(each, at);
      const name = textAt(header['name'], `${at}.name`).toLowerCase();
      const value = textAt(header['value'], `${at}.value`);
      const isSecret = isSecretName(name) || /cookie|authorization/.test(name);
      return [name, isSecret ? '$SECRET' : maskSecrets(value)];
    }),
  );
}

/** Base64 whose secrets are masked, undefined if it is none: in Latin-1 each byte is one character. */
function maskedBytes(base64: string): string | undefined {
  let text: string;
  try {
    text = atob(base64.slice(0, base64.length - (base64.length % 4)));
  } catch {
    return undefined;
  }
  // A placeholder has a character beyond Latin-1, which marks it.
  return btoa(maskSecrets(text).replaceAll(/[^\0-\xff]/g, ''));
}

const cutComment = 'Only the beginning';

function messageOf(
  message: JsonObject,
  content: JsonObject,
  { place, encoding }: { place: string; encoding: string },
): TimelineMessage {
  const text = textIn(content['text']);
  const isCut = text.length > sessionLimits.body || textIn(content['comment']).includes(cutComment);
  const body = text.slice(0, sessionLimits.body);
  // Some archives name Base64 beside the text itself.
  const base64 = /^base64$/i.test(encoding) ? maskedBytes(body) : undefined;
  return {
    headers: headersOf(message, place),
    body: base64 ?? maskSecrets(body),
    bytes: numberIn(message['bodySize']) || text.length,
    ...(base64 !== undefined && { encoding: 'base64' }),
    ...(isCut && { truncated: true }),
  };
}

const kinds = ['call', 'service', 'webhook', 'program'] as const satisfies readonly TimelineEntry['kind'][];

/** What the console's own archives say of an entry in its comment: kind, name, step, interaction and id. */
function commentOf(comment: string) {
  const parts = comment.split(', ');
  const kind = kinds.find((each) => each === parts[0]);
  const [journey = '', step = ''] = parts.find((part) => /^\w+\/[\w.]*$/.test(part))?.split('/') ?? [];
  const after = (word: string) => parts.find((part) => part.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  const name = kind && /^\w+$/.test(parts[1] ?? '') ? (parts[1] ?? '') : '';
  return { kind: kind ?? ('program' as const), name, journey, step, interactionId: after('interaction') };
}

function entryOf(value: Json, index: number): TimelineEntry {
  const place = `log.entries[${index}]`;
  const entry = objectAt(value, place);
  const request = objectAt(entry['request'], `${place}.request`);
  const response = objectAt(entry['response'], `${place}.response`);
  const at = textAt(entry['startedDateTime'], `${place}.startedDateTime`);
  if (Number.isNaN(Date.parse(at))) wrong(`${place}.startedDateTime`, 'no time: give one such as 2026-01-31T09:00:00Z');
  const sent = isObject(request['postData']) ? request['postData'] : {};
  const content = isObject(response['content']) ? response['content'] : {};
  return {
    id: String(index + 1),
    ...commentOf(textIn(entry['comment'])),
    at,
    ms: numberIn(entry['time']),
    attempt: 1,
    signature: '',
    baseString: '',
    answers: '',
    method: textAt(request['method'], `${place}.request.method`),
    url: maskSecrets(textAt(request['url'], `${place}.request.url`)),
    status: Math.trunc(numberAt(response['status'], `${place}.response.status`)),
    reason: textIn(response['statusText']),
    request: messageOf(request, sent, { place: `${place}.request`, encoding: textIn(sent['_encoding']) }),
    response: messageOf(response, content, { place: `${place}.response`, encoding: textIn(content['encoding']) }),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as Json; // of JSON
  } catch {
    throw new Error('It is not JSON: give an HTTP archive (HAR), such as the timeline and browsers export.');
  }
}

/**
 * Reads an HTTP archive, of the console's timeline or of any program, as entries of a timeline without secrets. Throws an
 * error whose message says what is wrong, where, and what would be right.
 */
export function readSession(text: string): Read {
  const content = objectAt(parsed(text), 'the content');
  // The file of a situation has one as its timeline.
  const archive = content['kind'] === 'payments-out-situation' ? objectAt(content['timeline'], 'timeline') : content;
  const log = objectAt(archive['log'], 'log');
  const all = listAt(log['entries'], 'log.entries');
  if (all.length === 0) throw new Error('It has no entries: give an archive with calls.');
  const entries = all.slice(-sessionLimits.entries);
  const skipped = all.length - entries.length;
  return {
    entries: entries.map((each, index) => entryOf(each, skipped + index)).reverse(),
    left: skipped > 0 ? [`The first ${counted(skipped, 'entry', 'entries')} of ${all.length} are not shown.`] : [],
  };
}
