// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, waitFor } from 'xstate';
import { gateOf } from '#machines/lib/gate.ts';
import { isAwaited } from '#machines/lib/messaging.ts';
import { debtor, debtorQuery } from '#app/effects/party.ts';
import { electronicPayment, filePayment } from '#app/effects/payment.ts';
import { sendAgain } from '#app/effects/messages.ts';
import { authorisation } from '#app/effects/subscription.ts';
import { batch } from '#app/effects/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { names, requests, server, started } from '#tests/support/fakeCalls.ts';
import { messageOf } from '#tests/support/messages.ts';
import { creditor, debtor as account, failure, fileFormat, invoiceOf, provider } from '#tests/support/fixtures.ts';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- problems are what `call` rejects with
const refuse = () => Promise.reject(failure);

const answered = (facts: Facts) => ({
  getFacts: () => facts,
  getProvider: () => ({ data: { ...provider, localInstruments: ['bacs'] } }),
  getLocalInstruments: () => ({
    data: [
      {
        localInstrumentId: 'bacs',
        name: 'Bacs',
        validationRules: [
          { ruleId: 'bacs', validation: { apiPath: 'DebtorAccounts', jsonPath: 'currency', optionality: 'Required' } },
        ],
      },
    ],
  }),
  getDebtors: () => ({ data: [account] }),
  getCreditors: () => ({ data: [creditor] }),
  getInvoices: () => ({ data: [invoiceOf('i1', '120.50')] }),
  getFileFormats: () => ({ data: [fileFormat] }),
  listMessages: () => ({ data: [], total: 0 }),
});

beforeEach(() => {
  // A poll's interval passes as soon as nothing else is left to do.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.setTimerTickMode('nextTimerAsync');
  localStorage.clear();
  server.made.length = 0;
  server.answers = answered(factsAfter('creditor'));
});

afterEach(() => vi.useRealTimers());

describe('the creation of a debtor', () => {
  async function filled() {
    const actor = started(debtor.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'editing' }));
    for (const [field, value] of [
      ['debtorAccount.name', 'Main'],
      ['debtorAgent.identification', '200000'],
      ['currency', 'GBP'],
    ] as const)
      actor.send({ type: 'form.change', field, value });
    return actor;
  }

  it('requests the rules of provider and local instruments, and shows a gate without a provider', async () => {
    const actor = await filled();
    expect(actor.getSnapshot().context.form.fields.map(({ id }) => id)).toContain('currency');
    server.answers = answered({ ...factsAfter('creditor'), provider: null });
    const blocked = await waitFor(started(debtor.machine), (snapshot) => snapshot.hasTag('gate'));
    expect(gateOf(blocked)?.alert).toBe('noProviders');
  });

  it('reuses the idempotency key and body when the form is resent after a lost response', async () => {
    server.answers['putDebtor'] = refuse;
    const actor = await filled();
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'refused' }));
    server.answers['putDebtor'] = () => ({ accepted: true, messageId: 'message-1' });
    actor.send({ type: 'retry' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches('messaging') && isAwaited(snapshot));
    const [first, second] = requests('putDebtor');
    expect(context.messageId).toBe('message-1');
    expect(second).toMatchObject({ key: first?.key, body: first?.body });
    expect(second?.body?.data).toMatchObject({ subscriptionId: 'subscription-1', debtorAccount: { name: 'Main' } });
    actor.stop();
  });
});

describe('the query of debtors', () => {
  const answer = { id: 'w', type: 'debtoraccountlistqueryresponses', data: { debtors: [{ debtorId: 'd' }] } };

  async function asked(...later: object[]) {
    server.answers['queryDebtors'] = () => ({ accepted: true, messageId: 'query-1' });
    server.answers['getMessage'] = () => ({ data: (later.length > 1 ? later.shift() : later[0]) ?? {} });
    server.answers['setSetting'] = () => ({});
    const actor = started(debtorQuery.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ list: 'ready' }));
    actor.send({ type: 'query.send' });
    return actor;
  }

  it('polls for the response to its own message, lists flat rows, and clears only that webhook', async () => {
    const actor = await asked({ state: 'waiting' }, { state: 'accepted', webhook: answer });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
    expect(requests('getMessage').map(({ params }) => params)).toEqual(Array(2).fill({ resourceId: 'query-1' }));
    expect(context.parties).toMatchObject([{ debtorId: 'd', debtorAccountname: '' }]);
    expect(requests('setSetting').map(({ body }) => body)).toEqual([{ key: 'webhookData', value: '["w"]' }]);
  });

  it('shows the provider’s reason for a refusal', async () => {
    const actor = await asked({ state: 'refused', detail: 'not today' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ list: 'unlisted' }));
    expect(context.failure).toMatchObject({ code: 'upstream-refused', detail: 'not today' });
  });

  it.each([
    ['whose response is pending', { state: 'waiting', unread: false }],
    ['whose list is unread', { state: 'accepted', unread: true }],
  ] as const)('resumes the latest query %s, and sends no new query', async (_, more) => {
    server.answers['listMessages'] = (request) => ({
      data:
        request.query?.['kind'] === 'debtoraccountlistqueries' ? [messageOf({ messageId: 'query-0', ...more })] : [],
    });
    server.answers['getMessage'] = () => ({ data: { state: 'accepted', webhook: answer } });
    server.answers['setSetting'] = () => ({});
    const actor = started(debtorQuery.machine);
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
    expect(context.parties).toMatchObject([{ debtorId: 'd' }]);
    expect(requests('getMessage').map(({ params }) => params)).toEqual([{ resourceId: 'query-0' }]);
    expect(names()).not.toContain('queryDebtors');
  });

  it.each([
    ['was read', { state: 'accepted', unread: false }],
    ['was refused', { state: 'refused', unread: false }],
  ] as const)('waits for the user to send a query if the latest query %s', async (_, more) => {
    server.answers['listMessages'] = () => ({ data: [messageOf({ kind: 'debtoraccountlistqueries', ...more })] });
    const actor = started(debtorQuery.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ list: 'ready' }));
    actor.stop();
  });

  it('follows the pending deletion that the server names when the same deletion is requested again', async () => {
    const actor = await asked({ state: 'accepted', webhook: answer });
    await waitFor(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
    const problem = { code: 'message-pending', status: 409, messageId: 'deletion-1' };
    server.answers['deleteDebtor'] = () => Promise.reject(Object.assign(new Error(), problem));
    server.answers['getMessage'] = () => ({ data: { state: 'waiting', detail: '' } });
    actor.send({ type: 'party.delete', id: 'd' });
    actor.send({ type: 'delete.confirm' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches('deleting') && isAwaited(snapshot));
    expect(context.messageId).toBe('deletion-1');
    actor.stop();
  });
});

describe('a message with an unknown outcome', () => {
  it('keeps the outcome unknown if resending it fails before it is sent', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
    server.answers['sendMessageAgain'] = () => Promise.reject({ ...failure, outcome: 'not-sent' });
    await expect(sendAgain({ messageId: 'message-1' }, new AbortController().signal)).rejects.toMatchObject({
      outcome: 'unknown',
      repeat: 'not-sent',
    });
  });
});

describe('a payment', () => {
  it('reads nothing from the service while a gate is shown', async () => {
    server.answers = { getFacts: () => factsAfter('nothing') };
    const gate = await waitFor(started(electronicPayment.machine), (snapshot) => snapshot.hasTag('gate'));
    expect(gateOf(gate)?.alert).toBe('noOrganisation');
    expect(names()).toEqual([]);
  });

  it('reuses the idempotency key and the batch’s external id after a lost response', async () => {
    server.answers['getProvider'] = () => ({ data: { ...provider, accountType: { validationRules: [] } } });
    server.answers['preparePayment'] = () => ({ data: { key: 'key-1', covered: [] } });
    server.answers['createBatch'] = refuse;
    const actor = started(electronicPayment.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ choosing: { form: 'editing' } }));
    actor.send({ type: 'debtor.choose', debtorId: account.debtorId });
    actor.send({ type: 'invoices.tick', ids: ['i1'] });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'ready' }));
    actor.send({ type: 'payment.pay' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'refused' }));
    server.answers['createBatch'] = () => ({ data: { batchId: 'batch-1', status: 'Received' } });
    actor.send({ type: 'retry' });
    await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
    const [first, second] = requests('createBatch');
    expect(first?.body?.externalId).toBe(first?.key);
    expect(second?.body).toEqual(first?.body);
    expect(second?.key).toBe(first?.key);
  });

  it('asks for another execution date if its form was open past midnight', async () => {
    server.answers['preparePayment'] = () => ({ data: { key: 'key-1', covered: [] } });
    server.answers['getProvider'] = () => ({ data: { ...provider, accountType: { validationRules: [] } } });
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 23, 59) });
    const actor = started(electronicPayment.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ choosing: { form: 'editing' } }));
    actor.send({ type: 'invoices.tick', ids: ['i1'] });
    vi.setSystemTime(new Date(2026, 10, 21, 0, 1));
    actor.send({ type: 'form.submit' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ review: 'unprepared' }));
    expect(requests('preparePayment')).toEqual([]);
    expect(context.failure).toMatchObject({ code: 'invalid-request', outcome: 'not-sent' });
    actor.send({ type: 'review.back' });
    expect(actor.getSnapshot().context.errors).toEqual([
      {
        id: 'executionDate',
        message: '2026-11-20 is in the past: the first day that can be chosen is 2026-11-21',
      },
    ]);
    actor.send({ type: 'date.choose', date: '2026-11-21' });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'ready' }));
  });

  /** A payment that is reviewed just before midnight, with the given answer to the first attempt. */
  async function reviewedBeforeMidnight() {
    server.answers['preparePayment'] = () => ({ data: { key: 'key-1', covered: [] } });
    server.answers['getProvider'] = () => ({ data: { ...provider, accountType: { validationRules: [] } } });
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 23, 59) });
    const actor = started(electronicPayment.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ choosing: { form: 'editing' } }));
    actor.send({ type: 'invoices.tick', ids: ['i1'] });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'ready' }));
    return { actor, sleep: () => void vi.setSystemTime(new Date(2026, 10, 21, 8, 0)) };
  }

  it('is not sent if its execution date has passed while the review was open', async () => {
    const { actor, sleep } = await reviewedBeforeMidnight();
    sleep();
    actor.send({ type: 'payment.pay' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ review: 'refused' }));
    expect(context.failure).toMatchObject({ code: 'invalid-request', outcome: 'not-sent' });
    actor.send({ type: 'retry' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'refused' }));
    expect(requests('createBatch')).toEqual([]);
    actor.send({ type: 'review.back' });
    expect(actor.getSnapshot().context.errors).toMatchObject([{ id: 'executionDate' }]);
  });

  it('with an unknown outcome is resent unchanged although its execution date has passed', async () => {
    const { actor, sleep } = await reviewedBeforeMidnight();
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
    server.answers['createBatch'] = () => Promise.reject({ ...failure, outcome: 'unknown' });
    actor.send({ type: 'payment.pay' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'refused' }));
    sleep();
    server.answers['createBatch'] = () => ({ data: { batchId: 'batch-1', status: 'Received' } });
    actor.send({ type: 'retry' });
    await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
    const [first, second] = requests('createBatch');
    expect(second?.body).toEqual(first?.body);
    expect(second?.key).toBe(first?.key);
  });

  it('with a lost response keeps the outcome unknown if the resend is not sent (behaviour 4.26)', async () => {
    server.answers['preparePayment'] = () => ({ data: { key: 'key-1', covered: [] } });
    server.answers['getProvider'] = () => ({ data: { ...provider, accountType: { validationRules: [] } } });
    const actor = started(electronicPayment.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ choosing: { form: 'editing' } }));
    actor.send({ type: 'invoices.tick', ids: ['i1'] });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches({ review: 'ready' }));
    const outcomes = ['not-sent', 'unknown', 'not-sent', 'not-sent'] as const;
    const told: unknown[] = [];
    for (const outcome of outcomes) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as above
      server.answers['createBatch'] = () => Promise.reject({ ...failure, code: 'rate-limited', outcome });
      actor.send({ type: 'payment.pay' });
      const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ review: 'refused' }));
      told.push([context.failure?.outcome, context.failure?.repeat]);
    }
    expect(told).toEqual([
      ['not-sent', undefined],
      ['unknown', undefined],
      ['unknown', 'not-sent'],
      ['unknown', 'not-sent'],
    ]);
    expect(new Set(requests('createBatch').map(({ key }) => key)).size).toBe(1);
  });

  it.each([
    ['refuses', refuse],
    ['returns none', () => ({ data: [] })],
  ])('by bank file shows the gate “noFileFormats” when the service %s', async (_, answer) => {
    server.answers['getFileFormats'] = answer;
    const gate = await waitFor(started(filePayment.machine), (snapshot) => snapshot.hasTag('gate'));
    expect(gateOf(gate)?.alert).toBe('noFileFormats');
  });
});

describe('the list of subscriptions', () => {
  it.each([
    ['http://provider.test/authorise/1', true],
    ['javascript:alert(1)', false],
  ])(
    'offers the authorise link %s as a link only if the server allows it: %s (threat 3.25)',
    async (link, followed) => {
      server.answers['getSettings'] = () => ({
        subscriptions:
          '[{"subscriptionId":"s","providerId":"p","status":"Received","suspended":false,"useMock":"false"}]',
        subscriptionId: 's',
      });
      server.answers['getSubscription'] = () => ({
        data: {
          data: { subscriptionId: 's', providerId: 'p', status: 'AwaitingAuthorisation' },
          links: { authorise: link },
          followed,
        },
      });
      const { context } = await waitFor(started(authorisation.machine), (snapshot) =>
        snapshot.matches({ list: 'listing' }),
      );
      expect(context.rows).toMatchObject([
        followed ? { authorise: link, elsewhere: '' } : { authorise: '', elsewhere: link },
      ]);
    },
  );
});

describe('the download of a bank file', () => {
  it('names the batch so that the server reads the link again', async () => {
    const link = 'http://bank.test/1?token=eyJh.eyJi.c2ln';
    server.answers['getPostedBatches'] = () => ({ data: '[]' });
    server.answers['getBatch'] = () => ({
      data: { batchId: 'batch-1', status: 'PaymentFileAvailable' },
      followed: false,
      links: { paymentFile: link },
    });
    const file = {
      bytes: Uint8Array.of(0x56, 0xe9),
      type: 'text/plain; charset=iso-8859-1',
      name: 'bacs-18_batch-1.txt',
    };
    server.answers['downloadPaymentFile'] = () => file;
    const actor = createActor(batch.machine, { input: { facts: everything, batchId: 'batch-1' } }).start();
    await waitFor(actor, (snapshot) => snapshot.matches('settled'));
    actor.send({ type: 'file.download' });
    const { context } = await waitFor(
      actor,
      (snapshot) => snapshot.matches('settled') && snapshot.context.file !== null,
    );
    expect(context.file).toEqual(file);
    expect(requests('downloadPaymentFile')[0]).toMatchObject({ params: { link }, query: { batchId: 'batch-1' } });
  });
});
