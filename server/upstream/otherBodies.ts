import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parse, stringify } from '#contract/json.ts';

/** A body that programs sign by mistake instead of the one that they send. */
export type OtherBody = readonly [words: string, body: Buffer];

const mark = Buffer.from('\ufeff');

/** Returns a value with the members of its objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** JSON in one line with a blank after each comma and colon, as Python writes it. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/([[{])\n */g, '$1')
    .replace(/\n *([\]}])/g, '$1')
    .replace(/\n */g, ' ');

const escaped = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Ways to write a parsed body again. */
function writtenAgain(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const compact = JSON.stringify(value);
  const written = 'the body was parsed and written again';
  const python = `${written}, with a blank after each comma and colon`;
  return [
    [written, compact],
    [written, stringify(parse(text))],
    ...[2, 4, '\t'].map((by): [string, string] => [`${written}, in several lines`, JSON.stringify(value, null, by)]),
    [python, spaced(value)],
    [`${python}, and with other characters than ASCII as \\u escapes`, escaped(spaced(value))],
    [`${written}, with other characters than ASCII as \\u escapes`, escaped(compact)],
    [`${written}, with “\\/” for “/”`, compact.replaceAll('/', '\\/')],
    [`${written}, with “\\/” for “/” and \\u escapes`, escaped(compact).replaceAll('/', '\\/')],
    [`${written}, with its members sorted by name`, JSON.stringify(sorted(value))],
    [`${python}, and with its members sorted by name`, spaced(sorted(value))],
  ];
}

/** Returns a body with or without a byte order mark, whichever was not sent. */
const otherMark = (bytes: Buffer): OtherBody =>
  bytes.subarray(0, mark.length).equals(mark)
    ? ['the byte order mark before the body was left out', bytes.subarray(mark.length)]
    : ['a byte order mark was signed before the body', Buffer.concat([mark, bytes])];

/** Changes of a body's text. */
const changed = (bytes: Buffer, text: string): [string, string | Buffer][] => [
  ['a line break was signed after the body', Buffer.concat([bytes, Buffer.from('\n')])],
  ['the line break after the body was left out', text.replace(/\r?\n$/, '')],
  ['the blanks and line breaks around the body were left out', text.trim()],
  ['the line breaks of the body were signed as LF instead of CR LF', text.replaceAll('\r\n', '\n')],
  ['the line breaks of the body were signed as CR LF instead of LF', text.replaceAll(/\r?\n/g, '\r\n')],
  ['the body was signed in Latin-1 instead of its bytes', Buffer.from(text, 'latin1')],
  ['the body was signed as a JSON string', JSON.stringify(text)],
  ['the SHA-256 of the body was signed instead of the body', createHash('sha256').update(bytes).digest('hex')],
  ['the SHA-256 of the body was signed instead of the body', createHash('sha256').update(bytes).digest('base64')],
];

/**
 * Returns the bodies that programs sign by mistake instead of `bytes`, the one that they sent. `content`: the decoded
 * text of the body.
 */
export function otherBodies(bytes: Buffer, content: string): OtherBody[] {
  const text = isUtf8(bytes) ? bytes.toString() : content;
  return [
    otherMark(bytes),
    ['the body was signed before it was compressed, or in another charset', content] as const,
    ...changed(bytes, text),
    ...writtenAgain(content),
  ]
    .map(([words, body]): OtherBody => [words, Buffer.from(body as string)]) // also copies bytes
    .filter(([, body]) => !body.equals(bytes));
}
