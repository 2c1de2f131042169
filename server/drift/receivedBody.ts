import { recordedBody } from '#server/timeline/recordedBody.ts';
import type { ReceivedBody } from './exchange.ts';

type Headers = Readonly<Record<string, string>>;

/** A body as a record has it. */
interface Recorded {
  body: string;
  encoding?: 'base64' | undefined;
  /** Whether it is only the beginning. */
  isCut: boolean;
  headers: Headers;
}

const sizeOf = (bytes: number): string => (bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} kB`);

export const unaskedCoding = (asked: Headers, { 'content-encoding': coding = '' }: Headers) =>
  asked['accept-encoding'] === 'identity' && !/^(identity)?$/i.test(coding.trim()) && { unaskedCoding: coding };

/**
 * Returns the text of bytes without their content coding. Records differ: some hold the bytes as sent, others without the
 * coding that the header still names.
 */
export function textOf(bytes: Buffer, { 'content-encoding': coding = '', ...headers }: Headers): ReceivedBody {
  const read = (from: Headers) => recordedBody(bytes, from, bytes.length, bytes.length);
  const found = [read({ ...headers, 'content-encoding': coding }), read(headers)].find((each) => !each.encoding);
  if (found) return found.body;
  return coding === '' ? bytes.toString('latin1') : { unread: `the recorded body is compressed (${coding})` };
}

/** Text in Base64, of which line breaks may be part. JSON of an object or a list is none. */
const base64 = /^[\w+/\s-]*[=\s]*$/;

/** Returns the text of a recorded body, without a byte order mark. Some records name Base64 beside the text itself. */
export function receivedBody({ body, encoding, isCut, headers }: Recorded): ReceivedBody {
  const bytes = encoding && base64.test(body) ? Buffer.from(body, encoding) : undefined;
  if (isCut) return { unread: `the recorded body was cut at ${sizeOf(bytes?.length ?? Buffer.byteLength(body))}` };
  return bytes ? textOf(bytes, headers) : body.replace(/^\ufeff/, '');
}
