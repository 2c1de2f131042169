import { expect } from 'vitest';
import { pathOf } from '#contract/serviceCalls.ts';
import type { SandboxOptions } from '#server/sandbox/api.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { header } from '#server/upstream/wire.ts';
import { endpoints } from '#tests/support/endpoints.ts';

/** What the tests read of a batch. */
interface ReadBatch {
  status: string;
  payments: { status: string; extendedStatus?: string; additionalData?: string; paymentCompletedDate?: string }[];
}

const year = 365 * 24 * 60 * 60_000;

/** Pays by Bacs, and authorises by itself. */
const providerId = 'f1eb5d43-a061-41c5-b4f9-9031b28de006';

/** A sandbox whose clock stands at a time, with what pays from a company's account. */
export async function payingByBacs(now: string, options: SandboxOptions = { everyDay: false }) {
  const sandbox = await createSandbox({ seed: 1, now, config: { tokenLife: year }, ...options });
  const { token, organisationId } = await sandbox.prepare('company');
  const { applicationId, apiKey, controlToken } = sandbox.credentials;
  const headers = {
    [header.application]: applicationId,
    [header.apiKey]: apiKey,
    [header.interaction]: '7d6f5c1e-0000-4000-8000-000000000001',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const post = async (path: string, data: object) => {
    const answer = await sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify({ data }) });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { subscriptionId: string; batchId: string } }).data; // of either
  };
  const additionalData = JSON.stringify({ sortCode: '112233', accountNumber: '12345678' });
  const { subscriptionId } = await post(pathOf('createSubscription', organisationId), { providerId, additionalData });
  await sandbox.clock.advance(1000);
  const payment = {
    instructedAmount: { amount: '1.50', currency: 'GBP' },
    creditorAgent: { identification: '112233' },
    creditorAccount: { identification: '12345678' },
    creditor: { name: 'Alder Ltd' },
  };
  const pay = async (day: string, names: readonly string[] = ['Alder Ltd']) => {
    const data = {
      externalId: day,
      subscriptionId,
      requestedExecutionDateTime: `${day}T00:00:00Z`,
      payments: names.map((name) => ({ ...payment, creditor: { name } })),
    };
    return (await post(endpoints.batches, data)).batchId;
  };
  const statuses = async () => (await sandbox.batches()).map(({ status }) => status);
  const read = async (batchId: string) =>
    ((await (await sandbox.fetch(pathOf('batch', batchId), { headers })).json()) as { data: ReadBatch }).data;
  const lab = (method: string, path: string, body?: object) =>
    sandbox.fetch(`/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { sandbox, pay, read, statuses, lab };
}
