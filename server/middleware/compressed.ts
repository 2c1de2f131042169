import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

const compress = promisify(brotliCompress);
/** With a quality that takes about a millisecond for the page; files are compressed at build time, with the highest. */
const brotli = (text: string) => compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const zip = promisify<string, Buffer>(gzip);

/** Sends a text that is made for this request, compressed with what the browser accepts. */
export async function sendCompressed(ctx: Context, text: string): Promise<void> {
  ctx.vary('Accept-Encoding');
  // Each beside `identity`: browsers name gzip before br, without meaning it.
  const encoding = (['br', 'gzip'] as const).find((each) => ctx.acceptsEncodings(each, 'identity') === each);
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.body = encoding ? await { br: brotli, gzip: zip }[encoding](text) : text;
}
