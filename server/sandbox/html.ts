import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { html, Html } from '#server/html.ts';
import { style } from './style.ts';

/** The values as hidden fields of a form. */
export const hiddenFields = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

interface PageOptions {
  /** It holds tables. */
  wide?: boolean;
  /** The one script that runs on the page; none by default. */
  script?: string;
}

/** Outcomes of a page beside the ordinary one, apart from its one primary button. */
export const failures = (hint: string, buttons: readonly Html[]): Html =>
  html`<fieldset>
    <legend>Try a failure</legend>
    <p>${hint}</p>
    <div class="row">${buttons}</div>
  </fieldset>`;

/** Answers with a whole page. No X-Frame-Options: the console embeds the sandbox's pages (behaviour, section 2). */
export function sendPage(ctx: Context, status: number, title: string, content: Html, options: PageOptions = {}): void {
  const { wide = false, script = '' } = options;
  const run = script && `; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  ctx.status = status;
  ctx.set('content-security-policy', `default-src 'none'; style-src 'unsafe-inline'; img-src data:${run}`);
  // Otherwise WebKit takes the policy of the frame that embeds it, and keeps the origin of what is sent to itself.
  ctx.set('referrer-policy', 'same-origin');
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header><i></i>Sandbox</header>
        <main class="${wide ? 'wide' : ''}">
          <h1>${title}</h1>
          ${content}
        </main>
        ${script && new Html(`<script>${script}</script>`)}
      </body>
    </html>`.text;
}
