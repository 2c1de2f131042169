import Router from '@koa/router';
import { z } from 'zod';
import { atMost } from '#contract/shape.ts';
import { trimmed } from '#contract/text.ts';
import { instructedAmountSchema } from '#contract/payment.ts';
import { html } from '#server/http/html.ts';
import { parse } from '../http/problem.ts';
import { sendPage } from '../pages/html.ts';

const recipient = z.object({
  email: z.email('an e-mail address such as user@example.com'),
  message: atMost(400, undefined, z.string().overwrite(trimmed)).default(''),
});

/** The provider's page on which a user requests a transfer to somebody; no call of the service. */
export const transferPath = '/etransfer/request';

/** The external transfer request: a page for users, which nothing else asks about (behaviour, section 2: eTransfer). */
export function transferRoutes({ newId }: { newId: () => string }): Router {
  const router = new Router();

  router.get(transferPath, (ctx) => {
    const { amount, currency } = parse(ctx, instructedAmountSchema, ctx.query);
    sendPage(
      ctx,
      200,
      'Transfer request',
      html`<p>You pay ${amount} ${currency}.</p>
        <form method="post">
          <label>Recipient's e-mail <input name="email" type="email" required /></label>
          <label>Message, at most 400 characters <textarea name="message" rows="3"></textarea></label>
          <button class="primary">Send request</button>
        </form>`,
    );
  });

  router.post(transferPath, (ctx) => {
    const { amount, currency } = parse(ctx, instructedAmountSchema, ctx.query);
    const { email } = parse(ctx, recipient, ctx.request.body);
    sendPage(
      ctx,
      201,
      'Transfer requested',
      html`<p role="status">The request to pay ${amount} ${currency} to ${email} is made.</p>
        <dl>
          <dt>Request</dt>
          <dd>${newId()}</dd>
        </dl>`,
    );
  });

  return router;
}
