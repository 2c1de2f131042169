import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { isLoopback } from '#server/http/networks.ts';
import type { Clock } from '#server/clock.ts';
import { magicValues } from '#contract/magic.ts';
import { html, type Html } from '#server/http/html.ts';
import { header } from '#server/upstream/wire.ts';
import type { SandboxConfig } from '../config.ts';
import { defaultApplication, equalSecrets, type SandboxCredentials } from '../credentials.ts';
import { parse, Problem } from '../http/problem.ts';
import type { Recorder } from '../records/recorder.ts';
import { sendPage } from './html.ts';
import { isSignedQuery } from './signedUrl.ts';

const resetForm = z.object({ token: z.string('a token is required') });

/** A script that copies the text beside the pressed button and reports whether that worked. */
const copyScript = `for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const show = (text) => { button.textContent = text; setTimeout(() => { button.textContent = 'Copy'; }, 2000); };
    Promise.resolve(navigator.clipboard?.writeText(button.dataset.copy) ?? Promise.reject()).then(
      () => show('Copied'), () => show('Copying is not possible here'));
  });
}`;

const credential = (name: string, value: string, isCopied: boolean): Html =>
  html`<dt>${name}</dt>
    <dd>
      <code>${value}</code>
      ${isCopied ? html`<button class="small" hidden data-copy="${value}" aria-label="Copy ${name}">Copy</button>` : ''}
    </dd>`;

const requestTable = (rows: ReturnType<Recorder['latest']>): Html => {
  if (rows.length === 0)
    return html`<p>Calls to the sandbox are listed here, the newest first. There are none yet.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Time (UTC)</th>
        <th scope="col">Call</th>
        <th scope="col" class="end">Status</th>
        <th scope="col" class="end">ms</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ at, method, path, status, ms }) =>
          html`<tr>
            <td>${new Date(at).toISOString().slice(11, 23)}</td>
            <td class="mono">${method} ${path}</td>
            <td class="end ${status > 0 && status < 400 ? 'done' : 'failed'}">${status || 'no answer'}</td>
            <td class="end">${Math.round(ms ?? 0)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
};

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl' | 'webhookUrl' | 'isProxied'>;
  credentials: SandboxCredentials;
  recorder: Pick<Recorder, 'latest'>;
  /** The machine's clock, by which links to the page expire. */
  clock: Clock;
  /** Deletes everything of the application. */
  reset: () => Promise<void>;
}

/** The sandbox's home page: its description, credentials and latest calls, and a button to reset it. */
export function homeRoutes({ config, credentials: own, recorder, clock, reset }: Deps): Router {
  const router = new Router();
  const { path } = own;
  // The default application's secrets are shown on this machine, unless a proxy on it may have forwarded the request.
  // In all other cases, secrets are shown only with proof of the control token (signedUrl.ts).
  const isOfMachine = path === '' && !config.isProxied;
  const isNear = ({ ip, query }: Context) =>
    (isOfMachine && isLoopback(ip)) || isSignedQuery(own.resetToken, query, clock.now());
  const elsewhere = isOfMachine ? 'shown on this machine only' : 'shown to those who come from the console';

  router.get('/', (ctx) => {
    const { applicationId, apiKey, signingKey, clientId, webhookSecret, webhookHeader, resetToken } = own;
    const near = isNear(ctx);
    const secret = (text: string) => (near ? text : elsewhere);
    const credentials = {
      [header.application]: applicationId,
      [header.apiKey]: secret(apiKey),
      'application signing key': secret(signingKey),
      'identity provider client id': clientId,
      'webhook secret (Standard Webhooks)': secret(webhookSecret),
      'webhook header': `${webhookHeader.name}: ${secret(webhookHeader.value)}`,
      'control token (fault lab, reset)': secret(resetToken),
    };
    const content = html`<p>
        A payments-out service for trials: no bank, no money. It speaks the service's wire protocol at this address,
        <code>${config.publicUrl}</code>. What stands here was made for
        ${own.name === defaultApplication ? 'this installation' : 'you alone'}.
      </p>
      ${'emptied' in ctx.query ? html`<p role="status">The sandbox is empty. Its credentials are the same.</p>` : ''}
      <h2>Credentials</h2>
      <dl>
        ${Object.entries(credentials).map(([name, value]) => credential(name, value, near))}
        <dt>webhooks go to</dt>
        <dd><code>${config.webhookUrl || 'nowhere: no address was configured'}</code></dd>
      </dl>
      <h2>Try a failure</h2>
      <p>These values cause a failure from any client:</p>
      <dl>
        ${magicValues.map(
          ({ where, value, says }) =>
            html`<dt><code>${value}</code>, ${where}</dt>
              <dd>${says}</dd>`,
        )}
      </dl>
      <p>The calls of the service, as an OpenAPI document: <a href="${path}/openapi.json">/openapi.json</a>.</p>
      <p>
        Scripts set what else is to go wrong, and how often, over HTTP: see docs/sandbox.md of the project, and the
        OpenAPI document <a href="${path}/sandbox/openapi.json">/sandbox/openapi.json</a>.
      </p>
      <h2>Latest calls</h2>
      ${near ? requestTable(recorder.latest()) : html`<p>They are ${elsewhere}.</p>`}
      ${
        near
          ? html`<h2>Reset</h2>
              <p>Everything that was made here is deleted; the credentials stay.</p>
              <a class="button" href="${path}/sandbox/reset${ctx.search}">Empty the sandbox</a>`
          : ''
      }`;
    sendPage(ctx, 200, 'Payments Out Sandbox', content, { wide: true, script: copyScript });
  });

  router.get('/sandbox/reset', (ctx) => {
    if (!isNear(ctx))
      throw new Problem(
        403,
        `The sandbox is emptied ${isOfMachine ? 'from this machine' : 'by those who come from the console'}, or with its token`,
      );
    const content = html`<p>
        Organisations, companies, subscriptions, debtors, creditors, batches, and what has still to be sent are deleted.
        This cannot be undone. Programs that use them, the console too, have to start over.
      </p>
      <form method="post" class="row">
        <input type="hidden" name="token" value="${own.resetToken}" />
        <button class="primary">Empty the sandbox</button>
        <a class="button" href="${path}/${ctx.search}">Cancel</a>
      </form>`;
    sendPage(ctx, 200, 'Empty the sandbox?', content);
  });

  router.post('/sandbox/reset', async (ctx) => {
    const { token } = parse(ctx, resetForm, ctx.request.body);
    if (!equalSecrets(token, own.resetToken))
      throw new Problem(403, 'token: not the one that the sandbox’s own page shows', [
        { path: 'token', message: 'give the one that the sandbox’s own page shows' },
      ]);
    await reset();
    ctx.status = 204;
    // A user who pressed the button is redirected to the result.
    if (ctx.accepts('json', 'html') !== 'html') return;
    ctx.redirect(`${path}/?emptied`);
    ctx.status = 303;
  });

  return router;
}
