import { expect, it } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch, making } from '#tests/support/consoleWithPayments.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

/** A console with a first company and another one, and the key of the other. */
async function twoCompanies() {
  const service = await fakeUpstream({ [endpoints.batches]: making() });
  const server = await testConsole({ upstreamUrl: service.url });
  const company = { organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId: 'subscription-1' };
  await server.store.settings.writeAll(company);
  const other = server.store.companies.make();
  await server.store.companies.write(other, { ...company, companyId: 'd' });
  const pay = async (companyKey: string, key: string) =>
    (
      await server.done('createBatch', {
        body: { ...batch, requestedExecutionDateTime: executionDate },
        key,
        headers: { [companyHeader]: companyKey },
      })
    ).data.batchId;
  return { other, pay, sent: () => service.askedFor(endpoints.batches) };
}

it.each<[string, (other: string) => [one: [string, string], two: [string, string]]]>([
  [
    'of the first company that names the other one',
    (other) => [
      [other, 'K'],
      ['first', `${other}/K`],
    ],
  ],
  [
    'of the other company that names the first one',
    (other) => [
      ['first', 'K'],
      [other, 'first/K'],
    ],
  ],
  [
    'that are the same',
    (other) => [
      ['first', 'K'],
      [other, 'K'],
    ],
  ],
  [
    'with slashes',
    (other) => [
      [other, 'K/L'],
      ['first', `${other}/K/L`],
    ],
  ],
  [
    'that look like JSON',
    (other) => [
      [other, 'K'],
      ['first', `","${other}","K`],
    ],
  ],
])('Idempotency keys %s replay no other company’s answer (threat 6.41)', async (_, keysOf) => {
  const { other, pay, sent } = await twoCompanies();
  const batches = [];
  for (const [companyKey, key] of keysOf(other)) batches.push(await pay(companyKey, key));
  expect(new Set(batches).size).toBe(2);
  expect(new Set(sent().map(({ headers }) => headers['x-idempotency-key'])).size).toBe(2);
  const again = [];
  for (const [companyKey, key] of keysOf(other)) again.push(await pay(companyKey, key));
  expect(again).toEqual(batches);
  expect(sent()).toHaveLength(2);
});
