import type { Context } from 'koa';
import { html, Html } from '#server/html.ts';

/** The values as hidden fields of a form. */
export const hiddenFields = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

const style = new Html(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
  label { display: block; margin: 1rem 0; }
  input:not([type=hidden]), textarea { display: block; width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
  button { margin: 0 .5rem .5rem 0; padding: .5rem 1rem; font: inherit; }
  dt { font-weight: 600; } dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
`);

/** Answers with a whole page. No X-Frame-Options: the console embeds the sandbox's pages (behaviour, section 2). */
export function sendPage(ctx: Context, status: number, title: string, content: Html): void {
  ctx.status = status;
  ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;
}
