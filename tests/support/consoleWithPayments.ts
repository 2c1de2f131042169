import { setTimeout as wait } from 'node:timers/promises';
import type { BatchRequest } from '#contract/payment.ts';
import { systemClock } from '#server/clock.ts';
import type { Engine } from '#server/storage/engine.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from './console.ts';
import { executionDate } from './executionDate.ts';
import { answering, fakeUpstream, type Script } from './fakeUpstream.ts';
import { paid } from './fixtures.ts';
import { temporaryFolder } from './store.ts';

export const [payment] = paid.payments;
export const batch: BatchRequest = { externalId: 'e', ...paid, requestedExecutionDateTime: executionDate };
export const lost: Script = (response) => void response.destroy();

/** Every request makes another batch. */
export function making(): Script {
  let made = 0;
  return async (...exchange) => {
    await wait(20);
    return answering({ data: { batchId: `batch-${(made += 1)}`, status: 'Received' } }, 201)(...exchange);
  };
}

/** The time starts now, as on PostgreSQL, where it is the database's. */
export async function consoleWith(script: Script, folder = temporaryFolder(), now = Date.now(), engine?: Engine) {
  const time = { now };
  const clock = { ...systemClock, now: () => time.now };
  const service = await fakeUpstream({ [endpoints.batches]: script });
  const open = () => testConsole({ upstreamUrl: service.url, folder, clock, ...(engine && { engine }) });
  const server = await open();
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: 'subscription-1',
  });
  const sent = () => service.askedFor(endpoints.batches);
  return { service, server, sent, open, time };
}

/** The same payee and sum, and no reference. */
export const bare = { ...payment!, remittanceInformation: { unstructured: 'as agreed' } };
