import { describe, expect, it } from 'vitest';
import { madeKinds } from '#contract/facts.ts';
import { paymentForm } from '#rules/field.ts';
import { recordProvenance } from '#server/companies/provenance.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { newAttempt } from '#server/calls/writeOutcome.ts';
import { companyBody } from '#tests/support/bodies.ts';
import { consoleWithSandbox, silent } from '#tests/support/console.ts';
import { batchBody, onboard, subscribe } from '#tests/support/guidedPath.ts';

type Server = Awaited<ReturnType<typeof consoleWithSandbox>>;

const madeIn = async ({ done }: Pick<Server, 'done'>) => (await done('getFacts')).made;

describe('The provenance of a created record', () => {
  it('is listed in GET /api/facts with its id and the request of its timeline entry (behaviour 10.14.2)', async () => {
    const server = await consoleWithSandbox();
    expect(await madeIn(server)).toEqual({});
    await onboard(server);
    const { rules, subscriptionId, creditorId } = await subscribe(server);
    const body = await batchBody(server, subscriptionId, paymentForm(rules));
    const { batchId } = (await server.done('createBatch', { body })).data;

    const { settings, made } = await server.done('getFacts');
    expect(Object.keys(made).sort()).toEqual([...madeKinds].sort());
    const { organisationId, companyId, accountId, dataSetId } = settings;
    const [debtor] = (await server.done('getDebtors')).data;
    const expected = [organisationId, companyId, companyId, accountId, dataSetId, subscriptionId, debtor!.debtorId, creditorId, batchId]; // prettier-ignore
    expect(madeKinds.map((kind) => made[kind]!.id)).toEqual(expected);
    expect(made.company!.name).toBe('Example & Co');
    for (const kind of madeKinds) {
      const { interactionId, method, url, status, ms, at } = made[kind]!;
      const entries = (await server.done('getTimeline', { query: { interaction: interactionId, kind: 'service' } }))
        .data;
      expect(entries).toContainEqual(expect.objectContaining({ method, url, status, ms, at }));
      expect([kind, method, status]).toEqual([kind, 'POST', { accessToken: 200, debtor: 202, creditor: 202 }[kind as string] ?? 201]); // prettier-ignore
    }
    const [webhook] = (await server.done('getTimeline', { query: { interaction: made.debtor!.interactionId, kind: 'webhook' } })).data; // prettier-ignore
    expect(webhook).toMatchObject({ signature: 'valid' });
  }, 60_000);

  it('belongs to its company, and that of an organisation to all of its companies (behaviour 10.14.2)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const first = await madeIn(server);
    await server.done('createCompany', { body: companyBody('Second') });
    const second = await madeIn(server);
    expect(second.organisation).toEqual(first.organisation);
    expect(second.company).toMatchObject({ name: 'Second' });
    expect(second.company!.id).not.toBe(first.company!.id);
    expect(second.account).toBeUndefined();
    await server.done('setSetting', { body: { key: 'companyId', value: first.company!.id } });
    expect(await madeIn(server)).toEqual(first);
  });

  it('stays unchanged when a write is repeated', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const again = { body: companyBody('Second'), key: 'the-same' };
    await server.done('createCompany', again);
    const first = await madeIn(server);
    await server.done('createCompany', again);
    expect(await madeIn(server)).toEqual(first);
  });

  it('is logged as failed but does not fail the write if it cannot be stored', async () => {
    const errors: unknown[] = [];
    const write = { interactionId: 'i', at: '2030-01-01T00:00:00.000Z', ms: 1, method: 'POST', url: '/', status: 201 };
    const store = { records: () => ({ put: () => Promise.reject(new Error('full')) }) } as unknown as Store; // all that is used
    await recordProvenance(
      { store, log: { ...silent, error: (error: unknown) => errors.push(error) } as never },
      'createCompany',
      {
        body: companyBody('Second'),
        answer: { companyId: 'company' },
        call: {
          timeline: {} as never,
          interactionId: 'i',
          journey: '',
          step: '',
          name: '',
          attempt: newAttempt(),
          write,
        },
      },
    );
    expect(errors).toHaveLength(1);
  });
});
