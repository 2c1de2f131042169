import { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';
import { counted } from '#rules/counted.ts';
import { UseError } from '#rules/useError.ts';
import { describedAt } from '#server/upstream/operations.ts';
import type { Exchange, ReceivedBody, Source } from './exchange.ts';
import { receivedBody, unaskedCoding } from './receivedBody.ts';

const text = z.string();
const note = { comment: text.optional() };
const headers = z.array(z.object({ name: text, value: text })).default([]);
const entrySchema = z.object({
  ...note,
  startedDateTime: text.default(''),
  request: z.object({
    method: text,
    url: text,
    headers,
    postData: z.object({ text: text.optional(), _encoding: text.optional(), ...note }).optional(),
  }),
  response: z.object({
    status: z.number(),
    headers,
    content: z
      .object({
        text: text.optional(),
        size: z.number().optional(),
        mimeType: text.optional(),
        encoding: text.optional(),
        ...note,
      })
      .default({}),
  }),
});
const harSchema = z.object({ log: z.object({ entries: z.array(entrySchema) }) });
type Entry = z.output<typeof entrySchema>;

/** The kind with which the comment of an entry begins in the console's own archives; '' in those of others. */
const kindOf = ({ comment = '' }: Entry): string => /^(call|service|webhook|program), /.exec(comment)?.[1] ?? '';

const byName = (list: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(list.map(({ name, value }) => [name.toLowerCase(), value]));

/** The console records the beginning of a long body, with a comment that says so. */
const isCut = (comment = ''): boolean => comment.includes('Only the beginning');

const encodingOf = (name = ''): 'base64' | undefined => (/^\s*base64(url)?\s*$/i.test(name) ? 'base64' : undefined);

function answerBody({ status, content }: Entry['response'], received: Record<string, string>): ReceivedBody {
  const { text: body, size, encoding, comment, mimeType = '' } = content;
  if (body === undefined && size !== 0 && status !== 0) return { unread: 'the archive has no body of it' };
  const headers = { 'content-type': mimeType, ...received };
  return receivedBody({ body: body ?? '', encoding: encodingOf(encoding), isCut: isCut(comment), headers });
}

/** Returns an exchange; undefined for one that is none of the service's. */
function exchangeOf(entry: Entry): Exchange | undefined {
  const { request, response, startedDateTime: at } = entry;
  const kind = kindOf(entry);
  if (kind === 'webhook') {
    const { text: body = '', _encoding, comment } = request.postData ?? {};
    const headers = byName(request.headers);
    return { kind, at, body: receivedBody({ body, encoding: encodingOf(_encoding), isCut: isCut(comment), headers }) };
  }
  // The console's own calls have the same names below /api-msg-v1.
  if (kind === 'call' || !URL.canParse(request.url)) return undefined;
  const path = new URL(request.url).pathname;
  const { method } = request;
  if (describedAt(method, path) === undefined) return undefined;
  const [asked, received] = [byName(request.headers), byName(response.headers)];
  return {
    kind: 'answer',
    at,
    path,
    method,
    status: response.status,
    type: received['content-type'] ?? response.content.mimeType ?? '',
    body: answerBody(response, received),
    ...unaskedCoding(asked, received),
  };
}

/** Reads a parsed HTTP archive. Throws UseError; `name` is what the user calls it. */
export function sourceIn(archive: unknown, name: string): Source {
  const { data, error } = harSchema.safeParse(archive, { error: shapeError });
  if (!data) {
    const { path = [], message = '' } = error.issues[0] ?? {};
    throw new UseError(`${name} is not an HTTP archive (HAR): ${path.join('.') || 'its content'}: give ${message}.`);
  }
  const found = data.log.entries.map(exchangeOf);
  const exchanges = found.filter((each) => each !== undefined);
  const other = found.length - exchanges.length;
  return {
    exchanges,
    left: other > 0 ? [`${counted(other, 'entry', 'entries')} of other calls than those described.`] : [],
  };
}

/** Reads an HTTP archive: of the console's timeline, or of any program. Throws UseError; `name` is what the user calls it. */
export function readHar(har: string, name: string): Source {
  let value: unknown;
  try {
    value = JSON.parse(har);
  } catch {
    throw new UseError(`${name} is not JSON: give an HTTP archive (HAR), such as the console’s timeline exports.`);
  }
  return sourceIn(value, name);
}
