/** Markup that needs no escaping. */
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

interface Shell {
  title: string;
  /** Further elements of the head. */
  head?: Html | readonly Html[];
  style: Html;
  /** The nonce by which the policy allows the style; absent if the policy allows all. */
  nonce?: string;
  body: Html | readonly Html[];
}

/** Template tag that escapes its values, except markup made by this tag. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(escape)));

/** Returns a whole page. */
export const pageOf = ({ title, head = [], style, nonce, body }: Shell): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${head}
        <title>${title}</title>
        ${
          nonce === undefined
            ? html`<style>
                ${style}
              </style>`
            : html`<style nonce="${nonce}">
                ${style}
              </style>`
        }
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
