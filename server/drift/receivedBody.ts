import { jsonIn } from '#contract/json.ts';
import { onlyValue } from '#server/http/json.ts';
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
 * coding that the header still names, or with one that it does not name.
 */
export function textOf(bytes: Buffer, { 'content-encoding': coding = '', ...headers }: Headers): ReceivedBody {
  const found = [coding, '', 'gzip']
    .map((each) => recordedBody(bytes, { ...headers, 'content-encoding': each }, bytes.length, bytes.length))
    .find(({ encoding }) => !encoding);
  if (found) return onlyValue(found.body);
  return coding === '' ? bytes.toString('latin1') : { unread: `the recorded body is compressed (${coding})` };
}

/** Text in Base64, of which line breaks may be part, perhaps as an address of data. JSON of an object or a list is none. */
const base64 = /^(?:data:[^,]*,)?[\w+/\s-]*[=\s]*$/;

/**
 * Returns the text of a recorded body, of which what is JSON counts (`onlyValue`). Some records name Base64 beside the
 * text itself.
 */
export function receivedBody({ body, encoding, isCut, headers }: Recorded): ReceivedBody {
  const bytes = encoding && base64.test(body) ? Buffer.from(body.replace(/^data:[^,]*,/, ''), encoding) : undefined;
  if (isCut) return { unread: `the recorded body was cut at ${sizeOf(bytes?.length ?? Buffer.byteLength(body))}` };
  return bytes && jsonIn(body) === undefined ? textOf(bytes, headers) : onlyValue(body.replace(/^\ufeff/, ''));
}
