import { describe, expect, it } from 'vitest';
import { calls, type CallName } from '#contract/calls.ts';
import { batchRequest } from '#rules/batch.ts';
import { paymentForm } from '#rules/field.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import type { Request } from '#tests/support/api.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { sharedSandbox as shared } from '#tests/support/consoleWithUsers.ts';
import { maximumLength, maximumWaiting } from '#server/messages/save.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { systemClock } from '#server/clock.ts';
import { batchAnswers } from '#server/companies/records.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { eventually } from '#tests/support/eventually.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { heldReads } from '#tests/support/heldReads.ts';
import { severalConsoles } from '#tests/support/severalServers.ts';

type User = Awaited<ReturnType<Awaited<ReturnType<typeof shared>>['signedIn']>>;

/** Takes a user through the guided path, and returns all ids of the user's records. */
async function settled(user: User) {
  const { done } = user;
  await onboard(user);
  const { rules, subscriptionId, creditorId } = await subscribe(user);
  const { fileFormatId, specification } = (await done('getFileFormats')).data[0]!;
  const batchId = await pay(user, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
  await batchIn(user, 'PaymentFileAvailable', batchId);
  const { organisationId, companyId, accountId, dataSetId } = await done('getSettings');
  const { token } = (await done('getToken', { query: { reveal: 'true' } })).data;
  const [debtor] = (await done('getDebtors')).data;
  const creditors = (await done('getCreditors')).data;
  const state = (await done('startLogin', {})).fields['state']!;
  const { tokenId } = (await done('makeProgramToken', { body: { name: 'Nightly' } })).data.made;
  const { messageId } = (await done('listMessages')).data[0]!; // a debtor was put
  const lost = {
    on: 'call',
    of: 'createBatch',
    fault: { kind: 'answerLost' },
    times: 1,
    probability: 1,
    seed: 1,
  } as const;
  await done('setFault', { body: lost });
  await pay(user, subscriptionId, paymentForm(rules)).catch(() => undefined);
  const [{ key } = { key: '' }] = (await done('getFacts')).pendingPayments;
  expect(key).not.toBe('');
  const { data: entries } = await done('getTimeline', { query: { text: batchId } });
  const entryId = entries.find(({ kind, method }) => kind === 'service' && method === 'POST')!.id;
  return { subscriptionId, batchId, creditorId, debtor: debtor!, creditors, messageId, state, token, organisationId, companyId, accountId, dataSetId, tokenId, key, entryId }; // prettier-ignore
}
type Settled = Awaited<ReturnType<typeof settled>>;

/** Every call that takes an id, with another user's ids. */
function withIdsOf({
  subscriptionId,
  batchId,
  debtor,
  creditorId,
  creditors,
  messageId,
  state,
  organisationId,
  tokenId,
  key,
  entryId,
}: Settled) {
  const { debtorId } = debtor;
  const ids = { subscriptionId, debtorId, creditorId };
  const common = { currency: 'GBP', amount: '1.00', description: 'd', creditorName: 'c' };
  const batch = batchRequest({
    externalId: 'e',
    subscriptionId,
    debtor,
    creditors,
    invoices: [{ invoiceId: 'i', creditor: creditorId, ...common }],
    extras: { batch: {}, payment: {} },
    today: executionDate.slice(0, 10),
  });
  return {
    // Before the messages below, which are stored as the user’s own under the other user’s id.
    getMessage: { params: { resourceId: debtorId } },
    sendMessageAgain: { params: { messageId } },
    getSubscription: { params: { subscriptionId } },
    patchSubscription: { params: { subscriptionId }, body: { data: { suspendedByConsumer: true } } },
    sendUpdate: { body: { data: { resource: 'Subscription', id: subscriptionId, subscriptionId, properties: {} } } },
    putDebtor: { body: { data: ids } },
    putCreditor: { body: { data: ids } },
    queryDebtors: { body: { data: { subscriptionId } } },
    queryCreditors: { body: { data: { subscriptionId } } },
    deleteDebtor: { body: { data: ids } },
    deleteCreditor: { body: { data: ids } },
    createBatch: { body: batch },
    getBatch: { params: { batchId } },
    getPaymentAttempt: { params: { key } },
    setSetting: { body: { key: 'subscriptionId', value: subscriptionId } },
    changeSettings: { body: { subscriptionId } },
    revealSigningKey: { body: { organisationId } },
    confirmSigningKey: { body: { organisationId } },
    restoreSigningKey: { body: { organisationId } },
    removeRecord: { body: { kind: 'subscription' as const, id: subscriptionId } },
    storeUserToken: { body: { token: 'token', state } },
    stepBatch: { params: { batchId } },
    confirmProgramToken: { params: { tokenId } },
    revokeProgramToken: { params: { tokenId } },
    getTest: { params: { entryId }, query: { runner: 'vitest' as const } },
  } satisfies { [C in CallName]?: Request<C> };
}

/** Everything a user can read without an id. */
const readings = (Object.keys(calls) as CallName[]).filter(
  (name) => calls[name].method === 'GET' && !calls[name].path.includes('{'),
);
const readBy = ({ call }: User) => Promise.all(readings.map(async (name) => [name, await call(name)] as const));

describe('Two users', () => {
  it('cannot read or change each other’s data by any id in any call (threat 2.8)', async () => {
    const { signedIn } = await shared();
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const adas = await settled(ada);
    const bens = await settled(ben);
    const before = await readBy(ada);

    // The timeline will later contain Ben’s own attempts.
    const timeline = JSON.stringify(await ben.done('getTimeline', { query: { limit: '100' } }));
    for (const [what, mark] of Object.entries(adas))
      if (typeof mark === 'string') expect(timeline, what).not.toContain(mark);
    expect(timeline).toContain(bens.batchId);

    const attempts = withIdsOf(adas);
    for (const name of Object.keys(attempts) as (keyof typeof attempts)[]) {
      const { status, code } = await ben.refused(name, attempts[name] as never); // this very call's request
      // No refusal may be due to a missing session.
      const refusals = code?.startsWith('login-') ? [401] : [400, 403, 404, 409, 422];
      expect(refusals, `${name}: ${status}`).toContain(status);
    }
    // The remaining calls of the contract take no id of a stored record, create something new, or are tested below.
    const others = (Object.keys(calls) as CallName[]).filter((name) => !(name in attempts) && !readings.includes(name));
    expect(others.sort()).toEqual(
      ['getProvider', 'getTranslation', 'preparePayment', 'downloadPaymentFile', 'startLogin', 'signOut']
        .concat(['useExisting'])
        // Each user has a fault lab: see the test of it.
        .concat(['stopLab', 'setFault', 'removeFault', 'stopFaults', 'changeClock', 'resetClock', 'emptySandbox'])
        .concat(['setReceiver', 'removeReceiver', 'checkWebhook', 'explainSignature'])
        .concat(['sendWebhookAgain', 'sendWebhooksAgain', 'checkSituation', 'openSituation'])
        .concat(['createSubscription', 'createOrganisation', 'createCompany', 'createAccount', 'createDataset'])
        .concat(['makeProgramToken', 'sendExample'])
        .sort(),
    );

    const withoutTimeline = (reply: { ok: boolean }) =>
      JSON.stringify(reply, (member, value: unknown) => (member === 'timeline' ? undefined : value));
    const read = (await readBy(ben))
      .filter(([name]) => name !== 'getTimeline')
      .map(([name, reply]) => `${name} ${withoutTimeline(reply)}`)
      .join('\n');
    for (const [what, mark] of Object.entries(adas))
      if (typeof mark === 'string') expect(read, what).not.toContain(mark);
    expect(read).toContain(bens.batchId);

    // Ada’s records are unchanged. Times of health checks and of tokens change.
    await ben.done('signOut');
    const constant = (replies: typeof before) =>
      replies
        .filter(([name]) => !/Health|Token|Facts|Timeline|Lab|Drift|Situation/.test(name))
        .map(([name, reply]) => [name, reply.ok && reply.answer]);
    expect(constant(await readBy(ada))).toEqual(constant(before));
    const { data } = (await ada.done('getSubscription', { params: adas })).data;
    expect(data).toMatchObject({ status: 'Authorised', suspendedByConsumer: false });
    expect((await ada.done('getMessage', { params: { resourceId: adas.debtor.debtorId } })).data.state).toBe(
      'accepted',
    );
  }, 60_000);

  it('get separate responses under the same idempotency key, from the console and the service (threat 2.8)', async () => {
    const { signedIn } = await shared();
    const made = async (user: User) =>
      (await user.done('createOrganisation', { body: organisationBody, key: 'key' })).organisationId;
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const ids = [await made(ada), await made(ben), await made(ada), await made(ben)];
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  });
});

const creditorId = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';
const put = (more: object) => ({ body: { data: { creditorId, subscriptionId, ...more } } });

it('Pending messages are limited in their length (413) and their number (429) (threat 6.16)', async () => {
  const { server } = await notified();
  const long = 'x'.repeat(maximumLength);
  expect(await server.refused('putCreditor', put({ long }))).toMatchObject({ status: 413, code: 'too-large' });
  expect(await server.store.messages.list()).toEqual([]);

  await server.store.messages.putAll(
    Array.from({ length: maximumWaiting }, (_, index) => [`m${index}`, keptMessage({ messageId: `m${index}` })]),
  );
  expect(await server.refused('putCreditor', put({ long: long.slice(200) }))).toMatchObject({ code: 'rate-limited' });
  expect(await server.store.messages.list()).toHaveLength(maximumWaiting);
  await server.store.messages.remove('m0');
  await server.done('putCreditor', put({ long: long.slice(200) }));
});

const batchId = 'batch-1';
const says = (status: string) => ({ data: { batchId, status } });

/** Three servers on one PostgreSQL database, whose clocks differ by an hour each, and a batch that was paid. */
async function servers() {
  const reads = heldReads();
  const service = await fakeUpstream({
    [endpoints.batches]: (response, asked) =>
      asked.method === 'GET' ? reads.script(response, asked) : answering(says('Received'), 201)(response, asked),
  });
  const all = await severalConsoles((index) => ({
    upstreamUrl: service.url,
    clock: { ...systemClock, now: () => Date.now() + (1 - index) * 3_600_000 },
  }));
  const [{ store, done }] = all;
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId: 's' });
  await done('createBatch', { body: { ...batch, requestedExecutionDateTime: executionDate } });
  const read = (index: 0 | 1 | 2) => all[index].done('getBatch', { params: { batchId } });
  const waiting = (number: number) => eventually(() => expect(reads.waiting()).toBe(number));
  return { store, reads, read, waiting };
}

describe('Answers to several servers on PostgreSQL', () => {
  it.each([
    [0, 1],
    [1, 0],
    [2, 2],
  ] as const)(
    'are stored in the order of their questions, of servers %i and %i (behaviour 4.47; threat 3.28)',
    async (one, other) => {
      const { store, reads, read, waiting } = await servers();
      const first = read(one);
      await waiting(1);
      const second = read(other);
      await waiting(2);
      reads.answer(1, says('Completed'));
      await second;
      reads.otherwise(says('Completed'));
      reads.answer(0, says('Received'));
      expect((await first).data.status).toBe('Completed');
      expect((await store.batches.get(batchId))?.status).toBe('Completed');
    },
  );

  it('are asked for again if another process has stored one since the question (behaviour 4.47; threat 3.28)', async () => {
    const { store, reads, read, waiting } = await servers();
    const first = read(0);
    await waiting(1);
    const other = { by: 'another process', turn: 1 };
    const answer = { asked: other, batchId, status: 'Processing', readAt: '', failed: [], staysPaid: [] };
    await store.records(batchAnswers).put(batchId, answer);
    reads.answer(0, says('Received'));
    await waiting(1);
    reads.answer(1, says('Completed'));
    expect((await first).data.status).toBe('Completed');
    expect(await store.records(batchAnswers).get(batchId)).toMatchObject({ status: 'Completed' });
  });
});
