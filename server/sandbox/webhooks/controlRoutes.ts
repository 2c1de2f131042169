import type Router from '@koa/router';
import type { Clock } from '#server/clock.ts';
import { isShared, type SandboxCredentials } from '../credentials.ts';
import { Problem } from '../http/problem.ts';
import { routeControlCalls } from '../http/routeControlCalls.ts';
import type { TenantStore } from '../store/tenantStore.ts';
import type { Deliveries, Delivery } from '../records/deliveries.ts';
import { receiverFlaw } from './transport.ts';
import { receiverRecords, secondReceiver, type Webhooks } from './sender.ts';
import { checkSignature, explainSignature } from './signature.ts';

/** Maximum number of webhooks listed. */
const maximumListed = 100;

const present = ({ at, injected, log, ...delivery }: Delivery) => ({
  ...delivery,
  log: log.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
  at: new Date(at).toISOString(),
  ...(injected && { mark: injected }),
});

interface Deps {
  credentials: SandboxCredentials;
  store: Pick<TenantStore, 'collection' | 'transaction'>;
  webhooks: Pick<Webhooks, 'resend' | 'addresses'>;
  deliveries: Pick<Deliveries, 'find' | 'latest' | 'failedSince'>;
  /** The machine's clock: receivers compare the timestamps of signatures with real time. */
  clock: Pick<Clock, 'now'>;
  /** Called after each change of the second receiver. */
  changed: () => void;
}

/**
 * Routes for the webhooks of the fault lab (docs/sandbox.md): listing and resending them, and checking and explaining
 * signatures.
 */
export function webhookControlRoutes({ credentials, store, webhooks, deliveries, clock, changed }: Deps): Router {
  const receivers = receiverRecords(store);
  const receiver = async () => ({ url: (await receivers.find(secondReceiver))?.url ?? null });

  const find = async (webhookId: string): Promise<Delivery> => {
    const found = await deliveries.find(webhookId);
    if (!found) throw new Problem(404, `The sandbox has no webhook ${webhookId}, or does not keep it any more`);
    return found;
  };

  async function receivingAddresses(): Promise<string[]> {
    const addresses = await webhooks.addresses();
    if (addresses.length === 0) throw new Problem(409, 'Nobody receives webhooks: set a receiver first');
    return addresses;
  }

  return routeControlCalls(credentials, {
    listWebhooks: async () => (await deliveries.latest(maximumListed)).map(present),
    sendAllAgain: ({ since }) =>
      store.transaction(async () => {
        const to = await receivingAddresses();
        const failed = await deliveries.failedSince(Date.parse(since));
        for (const each of failed) await webhooks.resend(each);
        return failed.map((each) => ({ ...present(each), to }));
      }),
    async checkWebhook({ signature, ...signed }) {
      const found = await checkSignature(signed, signature, credentials.webhookSecret, clock.now());
      const known = (await deliveries.find(signed.id))?.body;
      // Otherwise this call would sign any webhook; a timestamp with a dot could contain the beginning of a body.
      const isSent = [known, `[${known}]`].includes(signed.body) && /^\d+$/.test(signed.timestamp);
      return isSent ? found : { ...found, signature: '' };
    },
    async sendAgain(_, webhookId) {
      const found = await find(webhookId);
      const to = await receivingAddresses();
      await webhooks.resend(found);
      return { ...present(found), to };
    },
    async explainSignature(_, webhookId) {
      const { body } = await find(webhookId);
      const timestamp = String(Math.floor(clock.now() / 1000));
      return {
        id: webhookId,
        timestamp,
        ...explainSignature({ id: webhookId, timestamp, body }, credentials.webhookSecret),
      };
    },
    readReceiver: receiver,
    async setReceiver(wanted) {
      const message = receiverFlaw(wanted.url, isShared(credentials));
      if (message !== '') throw new Problem(400, `url: ${message}`, [{ path: 'url', message }]);
      await receivers.save(secondReceiver, wanted);
      changed();
      return receiver();
    },
    async removeReceiver() {
      await receivers.remove(secondReceiver);
      changed();
      return receiver();
    },
  });
}
