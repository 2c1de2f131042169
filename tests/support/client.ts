import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { createUpstream } from '#server/upstream/client.ts';
import type { Limits } from '#server/upstream/http.ts';
import { silent } from '#tests/support/console.ts';
import { upstreamAt } from '#tests/support/sandboxCredentials.ts';

export const company = { organisationId: 'organisation', signingKey: 'signing-key', companyId: 'company' };
export const health = { version: '1', branch: 'main', name: 'api' };
export const subscription = { data: { subscriptionId: 's', providerId: 'p', status: 'Authorised' } };

/** A client of the service at `url` with short retry delays. */
export function clientOf(url: string, limits: Partial<Limits> = {}, clock: Clock = systemClock) {
  const client = createUpstream({
    config: upstreamAt(url),
    clock,
    newId: () => randomUUID(),
    log: silent,
    limits: { backOff: 1, ...limits },
  });
  onTestFinished(() => client.close());
  return client;
}

/** The problem of a call that is expected to fail. */
export const problemOf = async (asking: Promise<unknown>) => {
  const error: unknown = await asking.catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error(`expected a Failure, got ${String(error)}`);
  return error.problem;
};
