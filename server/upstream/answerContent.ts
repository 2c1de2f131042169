import { isUtf8 } from 'node:buffer';
import { textOfJson } from '#server/encoding.ts';
import { Failure } from '#server/failure.ts';
import { onlyValue } from '#server/http/json.ts';
import { BodyError, decompressed } from '#server/http/receivedBody.ts';

/** Whether bytes begin as gzip does (RFC 1952, section 2.3.1). */
const isGzip = ([first, second]: Buffer): boolean => first === 0x1f && second === 0x8b;

/** The bytes of an answer's body, without its content codings, and its text. */
export interface AnswerContent {
  bytes: Buffer;
  text: string;
}

/**
 * Reads the body of an answer to a request that has asked for no content coding. A proxy may have compressed it all the
 * same, or name a coding that it has undone; so a text that is not in the named coding is taken as it is. The text of a
 * success is what is JSON in it (`onlyValue`); that of a refusal that cannot be decompressed is ''. Throws
 * `upstream-invalid` if a success cannot be decompressed, or not to `maximum` bytes at most.
 */
export async function contentOf(
  { status, body }: { status: number; body: Buffer },
  { 'content-encoding': coding = '', 'content-type': type }: Readonly<Record<string, string>>,
  maximum: number,
): Promise<AnswerContent> {
  const isSuccess = status < 300;
  try {
    const bytes = await withoutCoding(body, coding, maximum);
    const plain = isSuccess && isGzip(bytes) ? await withoutCoding(bytes, 'gzip', maximum) : bytes;
    const text = textOfJson(plain, type);
    return { bytes, text: isSuccess ? onlyValue(text) : text };
  } catch (error) {
    // Its status says enough.
    if (!isSuccess && error instanceof Failure) return { bytes: body, text: '' };
    throw error;
  }
}

/** Whether bytes are the text itself, although a coding is named: compressed ones are no UTF-8, or hold control characters. */
const isPlain = (bytes: Buffer): boolean => isUtf8(bytes) && !/[\u0001-\u0008\u000e-\u0019]/.test(bytes.toString());

async function withoutCoding(body: Buffer, coding: string, maximum: number): Promise<Buffer> {
  try {
    return await decompressed(body, coding, maximum);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    const isTooLarge = error.status === 413;
    if (!isTooLarge && isPlain(body)) return body;
    const detail = isTooLarge
      ? `larger than ${maximum} bytes when it is decompressed`
      : `compressed (${coding.slice(0, 100)}), although the console asks for identity, and cannot be read`;
    throw new Failure('upstream-invalid', `The answer of the payments service is ${detail}.`);
  }
}
