import type { Context } from 'koa';

/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(escape).join('');
  return String(part).replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
};

/** A template whose values are escaped, except markup made by this template itself. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(escape)));

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

/** Answers with a whole page. No X-Frame-Options: the console embeds the sandbox's pages (spec, section 2). */
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
