import type { Context } from 'koa';
import { Html, html, pageOf } from './html.ts';
import { allowStyles } from './security.ts';

const title = 'Payments Out Console';
const style = new Html(`
  main { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
`);

/**
 * Sends a page with one sentence, and `more` below it. With `again`, the page reloads itself after so many seconds,
 * without a script.
 */
export function sendNotice(
  ctx: Context,
  status: number,
  sentence: string,
  { more = [], again }: { more?: Html | readonly Html[]; again?: number } = {},
): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = pageOf({
    title,
    head: again === undefined ? [] : html`<meta http-equiv="refresh" content="${again}" />`,
    style,
    nonce: allowStyles(ctx),
    body: html`<main>
      <h1>${title}</h1>
      <p>${sentence}</p>
      ${more}
    </main>`,
  });
}
