import Router from '@koa/router';
import { z } from 'zod';
import type { Clock } from '#server/clock.ts';
import { parse, Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import { controlled } from './controlled.ts';
import type { Sent, SentWebhooks } from './sent.ts';
import { checked, explained } from './signature.ts';

/** Webhooks listed at once. */
const page = 100;

const sinceBody = z.strictObject({
  since: z.iso.datetime({ offset: true, error: 'a time such as 2026-01-31T09:00:00Z' }),
});
const receiverBody = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'an http or https address' }).max(1000),
});
const checkBody = z.strictObject({
  id: z.string().max(1000).default(''),
  timestamp: z.string().max(1000).default(''),
  signature: z.string().max(10_000).default(''),
  body: z.string().max(1_000_000),
});

const shown = ({ at, ...sent }: Sent) => ({ ...sent, at: new Date(at).toISOString() });

/** The webhooks of the fault lab by HTTP (docs/lab.md): what was sent, sending again, and their signatures. */
export function labWebhookRoutes(services: Services, { sent, clock }: { sent: SentWebhooks; clock: Clock }): Router {
  const { credentials, storage, webhooks } = services;
  const router = new Router({ prefix: '/sandbox' });
  router.use(controlled(credentials));

  const find = (webhookId = ''): Sent => {
    const found = sent.find(webhookId);
    if (!found) throw new Problem(404, `The sandbox has no webhook ${webhookId}, or does not keep it any more`);
    return found;
  };

  router.get('/webhooks', (ctx) => {
    ctx.body = { data: sent.latest(page).map(shown) };
  });

  /** Sends all again that no receiver took since a time. */
  router.post('/webhooks/again', (ctx) => {
    const { since } = parse(sinceBody, ctx.request.body);
    const failed = sent.failedSince(Date.parse(since));
    for (const each of failed) webhooks.again(each);
    ctx.body = { data: failed.map(shown) };
    ctx.status = 202;
  });

  router.post('/webhooks/check', (ctx) => {
    const { signature, ...signed } = parse(checkBody, ctx.request.body);
    ctx.body = { data: checked(signed, signature, credentials.webhookSecret, clock.now()) };
  });

  router.post('/webhooks/:webhookId/again', (ctx) => {
    const found = find(ctx.params['webhookId']);
    webhooks.again(found);
    ctx.body = { data: shown(found) };
    ctx.status = 202;
  });

  /** Explains the signature that the webhook would have now. */
  router.get('/webhooks/:webhookId/signature', (ctx) => {
    const { webhookId, body } = find(ctx.params['webhookId']);
    const timestamp = String(Math.floor(clock.now() / 1000));
    ctx.body = {
      data: { id: webhookId, timestamp, ...explained({ id: webhookId, timestamp, body }, credentials.webhookSecret) },
    };
  });

  const receiver = () => ({ data: { url: storage.find('receiver', 'second')?.url ?? null } });

  router.get('/receiver', (ctx) => {
    ctx.body = receiver();
  });

  router.put('/receiver', (ctx) => {
    storage.save('receiver', 'second', parse(receiverBody, ctx.request.body));
    ctx.body = receiver();
  });

  router.delete('/receiver', (ctx) => {
    storage.remove('receiver', 'second');
    ctx.body = receiver();
  });

  return router;
}
