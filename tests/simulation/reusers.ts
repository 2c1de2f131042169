import { headersOf, requests } from '#contract/requests/requests.ts';
import { batchRequest } from '#rules/batch.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import type { Company } from './onboard.ts';
import { confirm, heard, invoicesOf, tell, type Ledger } from './users.ts';
import type { World } from './world.ts';

/** How often a program reads and sends again. */
const mostTurns = 4;

/**
 * A program that pays at the service itself, reads its batch at the console, and then sends the same payments under the
 * same externalId by the console's call, as one does that numbers its runs: what it has read is not what it sends.
 */
export async function reusesExternalId(world: World, company: Company, ledger: Ledger): Promise<void> {
  const { scheduler, api, sandbox } = world;
  const { between, chance } = scheduler.of('a program that numbers its runs');
  await scheduler.wait(between(1, 60_000));
  const access = await heard(api.call('getToken', { query: { reveal: 'true' } }));
  if (!access?.ok) return;
  const invoices = invoicesOf(company, 'RUN').slice(0, between(1, 2));
  const body = batchRequest({
    externalId: crypto.randomUUID(),
    invoices,
    today: new Date(scheduler.now()).toISOString().slice(0, 10),
    ...company,
  });
  const { applicationId, apiKey } = sandboxCredentials;
  const earlier = crypto.randomUUID();
  const request = requests.createBatch(body, earlier);
  const made = await sandbox.fetch(request.path, {
    method: request.method,
    headers: headersOf(request, { applicationId, apiKey, token: access.answer.data.token }),
    body: JSON.stringify(request.body),
  });
  if (!made.ok) return;
  ledger.others.add(earlier);
  const { data } = (await made.json()) as { data: { batchId: string } }; // of the service
  const read = () => heard(api.call('getBatch', { params: { batchId: data.batchId } }));
  await scheduler.wait(between(1, 10_000));
  // One that has not read it could not tell which of both the service names.
  if (!(await read())?.ok) return;
  await scheduler.wait(between(1, 10_000));
  const key = crypto.randomUUID();
  ledger.keys.set(key, '');
  // It means to pay them again.
  for (const { invoiceId } of invoices) confirm(ledger, invoiceId);
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const reply = await heard(api.call('createBatch', { key, body, query: { again: 'true' } }));
    const { what } = tell(ledger, world, { key, externalId: body.externalId }, reply);
    if (what === 'paid') return;
    await scheduler.wait(between(1, 20_000));
    if (chance(0.7)) await read();
    await scheduler.wait(between(1, 20_000));
  }
}
