import type { Context } from 'koa';
import { html } from '#server/html.ts';
import { allowStyles } from '#server/middleware/security.ts';
import { signInPath } from './config.ts';

/** Sends a page that says why no user is signed in and offers to sign in. */
export function sendNotice(ctx: Context, status: number, sentence: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
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
          <p><a href="${signInPath}">Sign in</a></p>
        </main>
      </body>
    </html>`.text;
}
