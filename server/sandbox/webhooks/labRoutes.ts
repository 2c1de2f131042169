import type Router from '@koa/router';
import type { Clock } from '#server/clock.ts';
import { Problem } from '../http/problem.ts';
import { refusalOf } from './outsideReceiver.ts';
import type { Services } from '../services.ts';
import { isShared } from './sender.ts';
import { routed } from '../lab/labCalls.ts';
import type { Sent, SentWebhooks } from './deliveries.ts';
import { checked, explained } from './signature.ts';

/** Maximum number of webhooks listed. */
const page = 100;

const shown = ({ at, ...sent }: Sent) => ({ ...sent, at: new Date(at).toISOString() });

/**
 * Routes for the webhooks of the fault lab (docs/lab.md): listing and resending them, and checking and explaining
 * signatures.
 */
export function labWebhookRoutes(
  services: Services,
  { sent, clock, changed }: { sent: SentWebhooks; clock: Clock; changed: () => void },
): Router {
  const { credentials, storage, transaction, webhooks } = services;
  const receiver = async () => ({ url: (await storage.find('receiver', 'second'))?.url ?? null });

  const find = async (webhookId: string): Promise<Sent> => {
    const found = await sent.find(webhookId);
    if (!found) throw new Problem(404, `The sandbox has no webhook ${webhookId}, or does not keep it any more`);
    return found;
  };

  return routed(credentials, {
    listWebhooks: async () => (await sent.latest(page)).map(shown),
    sendAllAgain: ({ since }) =>
      transaction(async () => {
        const failed = await sent.failedSince(Date.parse(since));
        for (const each of failed) await webhooks.again(each);
        return failed.map(shown);
      }),
    async checkWebhook({ signature, ...signed }) {
      const found = checked(signed, signature, credentials.webhookSecret, clock.now());
      const known = (await sent.find(signed.id))?.body;
      // Otherwise this call would sign any webhook; a timestamp with a dot could contain the beginning of a body.
      const isSent = [known, `[${known}]`].includes(signed.body) && /^\d+$/.test(signed.timestamp);
      return isSent ? found : { ...found, signature: '' };
    },
    async sendAgain(_, webhookId) {
      const found = await find(webhookId);
      await webhooks.again(found);
      return shown(found);
    },
    async explainSignature(_, webhookId) {
      const { body } = await find(webhookId);
      const timestamp = String(Math.floor(clock.now() / 1000));
      return {
        ...{ id: webhookId, timestamp },
        ...explained({ id: webhookId, timestamp, body }, credentials.webhookSecret),
      };
    },
    readReceiver: receiver,
    async setReceiver(wanted) {
      const message = refusalOf(wanted.url, isShared(credentials));
      if (message !== '') throw new Problem(400, `url: ${message}`, [{ path: 'url', message }]);
      await storage.save('receiver', 'second', wanted);
      changed();
      return receiver();
    },
    async removeReceiver() {
      await storage.remove('receiver', 'second');
      changed();
      return receiver();
    },
  });
}
