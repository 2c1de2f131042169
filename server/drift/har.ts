import { z } from 'zod';
import { counted } from '#rules/counted.ts';
import { operationAt } from '#server/description/described.ts';
import { UseError, type Exchange, type Source } from './exchange.ts';

const text = z.string();
const note = { comment: text.optional() };
const headers = z.array(z.object({ name: text, value: text })).default([]);
const entrySchema = z.object({
  ...note,
  startedDateTime: text.default(''),
  request: z.object({
    method: text,
    url: text,
    postData: z.object({ text: text.optional(), _encoding: text.optional(), ...note }).optional(),
  }),
  response: z.object({
    status: z.number(),
    headers,
    content: z
      .object({ text: text.optional(), mimeType: text.optional(), encoding: text.optional(), ...note })
      .default({}),
  }),
});
const harSchema = z.object({ log: z.object({ entries: z.array(entrySchema) }) });
type Entry = z.output<typeof entrySchema>;

/** The kind with which the comment of an entry begins in the console's own archives; '' in those of others. */
const kindOf = ({ comment = '' }: Entry): string => /^(call|service|webhook|program), /.exec(comment)?.[1] ?? '';

const decoded = (body = '', encoding = ''): string =>
  encoding === 'base64' ? Buffer.from(body, 'base64').toString() : body;

/** The console records the beginning of a long body, with a comment that says so. */
const isCut = (comment = ''): boolean => comment.includes('Only the beginning');

/** Returns an exchange; undefined for one that is none of the service's. */
function exchangeOf(entry: Entry): Exchange | undefined {
  const { request, response, startedDateTime: at } = entry;
  const kind = kindOf(entry);
  if (kind === 'webhook') {
    const { text: body, _encoding, comment } = request.postData ?? {};
    return isCut(comment) ? { kind: 'cut', at, call: '' } : { kind, at, body: decoded(body, _encoding) };
  }
  // The console's own calls have the same names below /api-msg-v1.
  if (kind === 'call' || !URL.canParse(request.url)) return undefined;
  const path = new URL(request.url).pathname;
  const call = operationAt(request.method, path);
  if (call === undefined) return undefined;
  const { content } = response;
  if (isCut(content.comment)) return { kind: 'cut', at, call };
  const declared = response.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  return {
    ...{ kind: 'answer', at, path, method: request.method, status: response.status },
    type: declared ?? content.mimeType ?? '',
    body: decoded(content.text, content.encoding),
  };
}

/** Reads an HTTP archive: of the console's timeline, or of any program. Throws UseError; `name` is what the user calls it. */
export function readHar(har: string, name: string): Source {
  let value: unknown;
  try {
    value = JSON.parse(har.replace(/^\ufeff/, ''));
  } catch {
    throw new UseError(`${name} is not JSON: give an HTTP archive (HAR), such as the console’s timeline exports.`);
  }
  const { data, error } = harSchema.safeParse(value);
  if (!data) {
    const { path = [], message = '' } = error.issues[0] ?? {};
    throw new UseError(`${name} is not an HTTP archive (HAR): ${path.join('.') || 'its content'}: ${message}.`);
  }
  const found = data.log.entries.map(exchangeOf);
  const exchanges = found.filter((each) => each !== undefined);
  const cut = exchanges.filter(({ kind }) => kind === 'cut').length;
  const other = found.length - exchanges.length;
  return {
    exchanges,
    left: [
      ...(cut > 0 ? [`${counted(cut, 'entry', 'entries')} recorded in part, which cannot be compared.`] : []),
      ...(other > 0 ? [`${counted(other, 'entry', 'entries')} of other calls than those described.`] : []),
    ],
  };
}
