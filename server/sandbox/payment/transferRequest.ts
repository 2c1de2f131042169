import Router from '@koa/router';
import { z } from 'zod';
import { atMost } from '#contract/shape.ts';
import { trimmed } from '#contract/text.ts';
import { instructedAmountSchema } from '#contract/payment.ts';
import { html } from '#server/http/html.ts';
import { parse } from '../http/problem.ts';
import { sendPage } from '../pages/html.ts';
import type { Collections } from '../store/tenantStore.ts';
import { transferRecords } from './records.ts';

const recipient = z.object({
  email: z.email('an e-mail address such as user@example.com'),
  message: atMost(400, undefined, z.string().overwrite(trimmed)).default(''),
});

/** The provider's page on which a user asks somebody for a transfer; no call of the service. */
export const transferPath = '/etransfer/request';

/** The external transfer request: a page for users (behaviour, section 2: eTransfer). */
export function transferRoutes({ store, newId }: { store: Collections; newId: () => string }): Router {
  const transfers = transferRecords(store);
  const router = new Router();

  router.get(transferPath, (ctx) => {
    const { amount, currency } = parse(ctx, instructedAmountSchema, ctx.query);
    sendPage(
      ctx,
      200,
      'Request a transfer',
      html`<p>Ask someone to send you ${amount} ${currency}.</p>
        <form method="post">
          <label>Recipient's e-mail <input name="email" type="email" required /></label>
          <label>Message, at most 400 characters <textarea name="message" rows="3"></textarea></label>
          <button class="primary">Send request</button>
        </form>`,
    );
  });

  router.post(transferPath, async (ctx) => {
    const { amount, currency } = parse(ctx, instructedAmountSchema, ctx.query);
    const { email, message } = parse(ctx, recipient, ctx.request.body);
    const transferId = newId();
    await transfers.add(transferId, { transferId, amount, currency, email, message });
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
