import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { z } from 'zod';
import { html, Html, pageOf } from '#server/http/html.ts';
import { parse } from '../http/problem.ts';
import { style } from './style.ts';

/** Returns hidden form fields with these values. */
export const hiddenFields = (values: Readonly<Record<string, string>>): Html[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);

interface PageOptions {
  /** Whether the page is wide, for tables. */
  wide?: boolean;
  /** The only script allowed on the page; none by default. */
  script?: string;
}

/** Returns the alternative outcomes that a page offers, separate from its one primary button. */
export const failureButtons = (hint: string, buttons: readonly Html[]): Html =>
  html`<fieldset>
    <legend>Try a failure</legend>
    <p>${hint}</p>
    <div class="row">${buttons}</div>
  </fieldset>`;

/** The form in which a user authorises at a provider, or gives another answer: it posts `decision`. */
export const decisionForm = html`<form method="post">
  <button class="primary" name="decision" value="approve">Approve</button>
  ${failureButtons('Other answers a provider may give, to see how the console handles them.', [
    html`<button name="decision" value="reject">Reject</button>`,
    html`<button name="decision" value="cancel">Cancel</button>`,
    html`<button name="decision" value="expire">Let it expire</button>`,
  ])}
</form>`;

/** What the form posts. */
const decisionBody = z.object({ decision: z.enum(['approve', 'reject', 'cancel', 'expire']) });

/** Returns the decision that the form has posted. Throws a 400 problem for anything else. */
export const decisionIn = (ctx: Context) => parse(ctx, decisionBody, ctx.request.body).decision;

/** Sends a whole page. Omits X-Frame-Options, because the console embeds the sandbox's pages (behaviour, section 2). */
export function sendPage(ctx: Context, status: number, title: string, content: Html, options: PageOptions = {}): void {
  const { wide = false, script = '' } = options;
  const run = script && `; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  ctx.status = status;
  ctx.set('content-security-policy', `default-src 'none'; style-src 'unsafe-inline'; img-src data:${run}`);
  // Otherwise WebKit applies the embedding page's referrer policy and omits the origin of requests that the page sends
  // to itself.
  ctx.set('referrer-policy', 'same-origin');
  ctx.type = 'html';
  ctx.body = pageOf({
    title,
    head: html`<link rel="icon" href="data:," />`,
    style,
    body: html`<header><i></i>Sandbox</header>
      <main class="${wide ? 'wide' : ''}">
        <h1>${title}</h1>
        ${content}
      </main>
      ${script && new Html(`<script>${script}</script>`)}`,
  });
}
