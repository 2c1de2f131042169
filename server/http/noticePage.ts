import type { Context } from 'koa';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { allowStyles } from './security.ts';

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
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${again === undefined ? [] : html`<meta http-equiv="refresh" content="${again}" />`}
        <title>Payments Out Console</title>
        <style nonce="${allowStyles(ctx)}">
          main {
            max-width: 34rem;
            margin: 2rem auto;
            padding: 0 1rem;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>Payments Out Console</h1>
          <p>${sentence}</p>
          ${more}
        </main>
      </body>
    </html>`.text;
}
