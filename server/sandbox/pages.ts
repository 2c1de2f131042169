import Router from '@koa/router';
import { z } from 'zod';
import { amountSchema } from '#contract/payment.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { failingName } from './batchLife.ts';
import { isLoopback } from '#server/address.ts';
import { approvalName, authoriseName } from './consents.ts';
import { html } from '#server/html.ts';
import { sendPage } from './html.ts';
import { parse } from './problem.ts';
import type { Services } from './services.ts';

const asked = z.object({
  amount: amountSchema,
  currency: z.string().regex(/^[A-Z]{3}$/, 'a 3-letter currency code such as USD'),
});

const recipient = z.object({
  email: z.email('an e-mail address such as user@example.com'),
  message: z.string().trim().max(400).default(''),
});

/** Pages for people: the home page and the external transfer request (behaviour, section 2: eTransfer). */
export function pageRoutes({ config, credentials: ours, storage, newId }: Services): Router {
  const router = new Router();

  router.get('/', (ctx) => {
    const { applicationId, apiKey, signingKey, clientId, webhookSecret, webhookHeader, resetToken } = ours;
    // Visitors from the network must learn these from the operator.
    const isNear = isLoopback((ctx.req.socket.remoteAddress ?? '').replace('::ffff:', ''));
    const secret = (text: string) => (isNear ? text : 'shown on this machine only');
    const credentials = {
      [header.application]: applicationId,
      [header.apiKey]: secret(apiKey),
      'application signing key': secret(signingKey),
      'identity provider client id': clientId,
      'webhook secret (Standard Webhooks)': secret(webhookSecret),
      'webhook header': `${webhookHeader.name}: ${secret(webhookHeader.value)}`,
      'token of POST /sandbox/reset': secret(resetToken),
      'webhooks go to': config.webhookUrl || 'nowhere: no address was configured',
    };
    sendPage(
      ctx,
      200,
      'Payments Out Sandbox',
      html`<p>
          A payments-out service to try things on: no bank, no money. It speaks the service's wire protocol at this
          address. What stands here was made for this installation.
        </p>
        <dl>
          ${Object.entries(credentials).map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd><code>${value}</code></dd>`,
          )}
        </dl>
        <p>
          Payments complete, except those to a creditor whose name matches <code>${failingName.source}</code>: they
          fail. A debtor or creditor whose name matches <code>${authoriseName.source}</code> has to be authorised, and
          so has an electronic batch that pays a creditor whose name matches <code>${approvalName.source}</code>.
        </p>
        ${
          isNear
            ? html`<form method="post" action="/sandbox/reset">
                <input type="hidden" name="token" value="${resetToken}" />
                <button>Empty the sandbox</button>
              </form>`
            : ''
        }`,
    );
  });

  router.get(endpoints.transferRequest, (ctx) => {
    const { amount, currency } = parse(asked, ctx.query);
    sendPage(
      ctx,
      200,
      'Request a transfer',
      html`<p>Ask someone to send you ${amount} ${currency}.</p>
        <form method="post">
          <label>Recipient's e-mail <input name="email" type="email" required /></label>
          <label>Message <textarea name="message" rows="3" maxlength="400"></textarea></label>
          <button>Send request</button>
        </form>`,
    );
  });

  router.post(endpoints.transferRequest, (ctx) => {
    const { amount, currency } = parse(asked, ctx.query);
    const { email, message } = parse(recipient, ctx.request.body);
    const transferId = newId();
    storage.add('transfer', transferId, { transferId, amount, currency, email, message });
    sendPage(
      ctx,
      201,
      'Transfer requested',
      html`<p role="status">The request for ${amount} ${currency} to ${email} is recorded.</p>
        <dl>
          <dt>Request</dt>
          <dd>${transferId}</dd>
        </dl>`,
    );
  });

  return router;
}
