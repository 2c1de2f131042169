import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

const compress = promisify(brotliCompress);
/** At a quality that takes about a millisecond for the page; the build compresses files at the highest. */
const brotli = (text: string) => compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const zip = promisify<string, Buffer>(gzip);

/** Sends a text made for this request, compressed as the browser accepts. */
export async function sendCompressed(ctx: Context, text: string): Promise<void> {
  ctx.vary('Accept-Encoding');
  // Each checked against `identity` only: browsers list gzip before br without preferring it.
  const encoding = (['br', 'gzip'] as const).find((each) => ctx.acceptsEncodings(each, 'identity') === each);
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.body = encoding ? await { br: brotli, gzip: zip }[encoding](text) : text;
}
