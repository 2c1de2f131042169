import type Router from '@koa/router';
import type { Clock } from '#server/clock.ts';
import { Problem } from '../problem.ts';
import { refusalOf } from '../receiver.ts';
import type { Services } from '../services.ts';
import { isShared } from '../webhooks.ts';
import { routed } from './declared.ts';
import type { Sent, SentWebhooks } from './sent.ts';
import { checked, explained } from './signature.ts';

/** Webhooks listed at once. */
const page = 100;

const shown = ({ at, ...sent }: Sent) => ({ ...sent, at: new Date(at).toISOString() });

/** The webhooks of the fault lab by HTTP (docs/lab.md): what was sent, sending again, and their signatures. */
export function labWebhookRoutes(
  services: Services,
  { sent, clock, changed }: { sent: SentWebhooks; clock: Clock; changed: () => void },
): Router {
  const { credentials, storage, webhooks } = services;
  const receiver = () => ({ url: storage.find('receiver', 'second')?.url ?? null });

  const find = (webhookId: string): Sent => {
    const found = sent.find(webhookId);
    if (!found) throw new Problem(404, `The sandbox has no webhook ${webhookId}, or does not keep it any more`);
    return found;
  };

  return routed(credentials, {
    listWebhooks: () => sent.latest(page).map(shown),
    sendAllAgain({ since }) {
      const failed = sent.failedSince(Date.parse(since));
      for (const each of failed) webhooks.again(each);
      return failed.map(shown);
    },
    checkWebhook({ signature, ...signed }) {
      const found = checked(signed, signature, credentials.webhookSecret, clock.now());
      const known = sent.find(signed.id)?.body;
      // Otherwise it would sign webhooks for whoever asks; a timestamp with a dot could hold the beginning of a body.
      const isSent = [known, `[${known}]`].includes(signed.body) && /^\d+$/.test(signed.timestamp);
      return isSent ? found : { ...found, signature: '' };
    },
    sendAgain(_, webhookId) {
      const found = find(webhookId);
      webhooks.again(found);
      return shown(found);
    },
    explainSignature(_, webhookId) {
      const { body } = find(webhookId);
      const timestamp = String(Math.floor(clock.now() / 1000));
      return {
        ...{ id: webhookId, timestamp },
        ...explained({ id: webhookId, timestamp, body }, credentials.webhookSecret),
      };
    },
    readReceiver: receiver,
    setReceiver(wanted) {
      const message = refusalOf(wanted.url, isShared(credentials));
      if (message !== '') throw new Problem(400, `url: ${message}`, [{ path: 'url', message }]);
      storage.save('receiver', 'second', wanted);
      changed();
      return receiver();
    },
    removeReceiver() {
      storage.remove('receiver', 'second');
      changed();
      return receiver();
    },
  });
}
