// @vitest-environment jsdom
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitFor, type AnyStateMachine } from 'xstate';
import { creditorQuery, debtorQuery } from '#app/effects/party.ts';
import { bankSubscription, subscription } from '#app/effects/subscription.ts';
import { gateOf } from '#machines/lib/gate.ts';
import { blockers, reason, type JourneyId } from '#machines/journeys.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { authoriseBlocked, suspendBlocked } from '#machines/subscription/rows.ts';
import { rowOf } from '#tests/machines/subscription.models.ts';
import { names, requests, server, started } from '#tests/support/fakeCalls.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { bankOf, bankProvider, creditor, debtor, directProvider, failure, provider } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const facts = factsAfter('dataset');

beforeEach(() => {
  localStorage.clear();
  server.made.length = 0;
  server.answers = {
    getSettings: () => facts.settings,
    getFacts: () => facts,
    getProviders: () => ({ data: [provider, directProvider, bankProvider] }),
    getBanks: () => ({ data: [bankOf('open', true)] }),
    createSubscription: () => ({
      data: { subscriptionId: 'sub-1', providerId: provider.providerId, status: 'Received' },
    }),
  };
});

const choosing = (supplied: typeof subscription) =>
  waitFor(started(supplied.machine), (snapshot) => !snapshot.hasTag('busy'));

describe('behaviour, section 4: subscription status', () => {
  it.each([
    ['Rejected', 'http://provider.test/authorise', false],
    ['Authorised', 'http://provider.test/authorise', false],
    ['AwaitingAuthorisation', '', false],
    ['AwaitingAuthorisation', 'http://provider.test/authorise', true],
    ['Something new', 'http://provider.test/authorise', true],
  ])('%s with the link "%s": authorising is enabled: %s', (status, authorise, can) => {
    expect(authoriseBlocked(rowOf({ status, authorise })) === '').toBe(can);
  });

  it.each([
    ['Authorised', true],
    ['Rejected', false],
    ['Suspended', false],
  ])('%s: Suspend is enabled: %s', (status, enabled) => {
    expect(suspendBlocked(rowOf({ status })) === '').toBe(enabled);
  });

  it.each([
    ['AU', 'en'],
    ['GB', 'en'],
    ['US', 'en'],
    ['ZA', 'en'],
    ['CA', 'en-CA'],
  ])('selecting a subscription of %s stores its ids, country and language %s', async (country, language) => {
    const { answer, send, pending } = live(authorisationMachine, { input: { facts: everything } });
    await answer('loadRows', [rowOf({ country })]);
    await send({ type: 'subscription.select', id: 'subscription-1' });
    expect(pending('select').input).toEqual({
      subscriptionId: 'subscription-1',
      providerId: provider.providerId,
      country,
      language,
    });
  });
});

describe('behaviour, section 4: creation of a subscription', () => {
  it('step 1: the settings are loaded, then the providers for their country and language (behaviour 4.5)', async () => {
    await choosing(subscription);
    expect(names().slice(0, 2)).toEqual(['getSettings', 'getProviders']);
  });

  it.each([
    ['noOrganisation', factsAfter('settings')],
    ['noCompany', factsAfter('organisation')],
  ] as const)('step 2: the gate %s is shown', async (gate, now) => {
    server.answers['getFacts'] = () => now;
    expect(gateOf(await choosing(subscription))?.alert).toBe(gate);
  });

  it('steps 3 and 4: a provider without the capability shows a gate, others their form', async () => {
    const actor = started(subscription.machine);
    await waitFor(actor, (snapshot) => snapshot.matches('choosing'));
    actor.send({ type: 'provider.choose', providerId: directProvider.providerId });
    expect(actor.getSnapshot().value).toBe('noSubscriptionSupport');
    actor.send({ type: 'provider.clear' });
    actor.send({ type: 'provider.choose', providerId: provider.providerId });
    expect(actor.getSnapshot().value).toEqual({ form: 'editing' });
    expect(actor.getSnapshot().can({ type: 'provider.choose', providerId: directProvider.providerId })).toBe(false);
  });

  it('steps 5 and 6: an invalid form is not sent, a valid one creates one subscription (behaviour 4.6)', async () => {
    const actor = started(subscription.machine);
    await waitFor(actor, (snapshot) => snapshot.matches('choosing'));
    actor.send({ type: 'provider.choose', providerId: provider.providerId });
    actor.send({ type: 'form.submit' });
    expect(actor.getSnapshot().context.errors.map(({ id }) => id)).toEqual(['serviceUserNumber']);
    expect(requests('createSubscription')).toHaveLength(0);
    actor.send({ type: 'form.change', field: 'serviceUserNumber', value: '123456' });
    actor.send({ type: 'form.submit' });
    expect(actor.getSnapshot().hasTag('busy')).toBe(true);
    await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
    expect(requests('createSubscription').map(({ body }) => body)).toEqual([
      { data: { providerId: provider.providerId, additionalData: '{"serviceUserNumber":"123456"}' } },
    ]);
  });

  it.each([
    ['are read again', () => facts.settings],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- problems are what `call` rejects with
    ['cannot be read again, and the subscription stays', () => Promise.reject(failure)],
  ])('step 6: after the creation the settings %s', async (_, settings) => {
    const actor = started(subscription.machine);
    await waitFor(actor, (snapshot) => snapshot.matches('choosing'));
    actor.send({ type: 'provider.choose', providerId: provider.providerId });
    actor.send({ type: 'form.change', field: 'serviceUserNumber', value: '123456' });
    server.answers['getSettings'] = settings;
    actor.send({ type: 'form.submit' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
    expect(context.result).toMatchObject({ subscriptionId: 'sub-1' });
    expect(names().filter((name) => name === 'getSettings')).toHaveLength(2);
    expect(names().slice(-2)).toEqual(['createSubscription', 'getSettings']);
  });

  it('the bank form loads the banks as well', async () => {
    const { context } = await choosing(bankSubscription);
    expect(context.banks.map(({ friendly_name }) => friendly_name)).toEqual(['Bank open']);
  });
});

describe('behaviour, section 4: debtors, creditors and payments', () => {
  const flows: JourneyId[] = ['debtor', 'creditor', 'debtorQuery', 'creditorQuery', 'electronicPayment', 'filePayment'];

  it.each(flows)('%s requires an Authorised subscription that the consumer has not suspended (behaviour 4.9)', (id) => {
    expect(blockers(id, everything)).toEqual([]);
    const subscriptionId = everything.settings.subscriptionId;
    for (const [status, suspendedByConsumer] of [
      ['AwaitingAuthorisation', false],
      ['Authorised', true],
    ] as const) {
      const now = withFacts(everything, { subscription: { subscriptionId, status, suspendedByConsumer } });
      expect(reason(id, now)).toMatch(/subscription is not authorised/);
    }
  });

  it.each([
    ['debtorQuery', debtorQuery.machine, 'queryDebtors'],
    ['creditorQuery', creditorQuery.machine, 'queryCreditors'],
  ] as const)(
    '%s asks for webhook data every 1000 ms until it has arrived, and then clears it (behaviour 4.10, 9.1)',
    async (id, machine, query) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const message = messageOf({ messageId: 'message-1' });
      const webhook = { id: 'webhook-1', receivedAt: '2026-11-20T09:00:01.000Z', type: 'list', data: [] };
      let isAnswered = false;
      Object.assign(server.answers, {
        getFacts: () => everything,
        listMessages: () => ({ data: [], total: 0 }),
        getDebtors: () => ({ data: [debtor] }),
        getCreditors: () => ({ data: [creditor] }),
        [query]: () => ({ accepted: true, messageId: 'message-1' }),
        getMessage: () => ({ data: isAnswered ? { ...message, state: 'accepted', unread: true, webhook } : message }),
        setSetting: () => ({}),
      });
      const actor = started<AnyStateMachine>(machine);
      onTestFinished(() => void actor.stop());
      const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
      /** Lets what needs no time happen, one answer after the other. */
      const settle = async () => {
        for (let turn = 0; turn < 10; turn += 1) await pass(0);
      };
      await settle();
      actor.send({ type: 'query.send' });
      await settle();
      const asked = () => requests('getMessage').length;
      expect([id, requests(query).length, asked()]).toEqual([id, 1, 0]);
      for (let second = 1; second <= 5; second += 1) {
        await pass(999);
        expect(asked()).toBe(second - 1);
        await pass(1);
        expect(asked()).toBe(second);
      }
      expect(requests('setSetting')).toEqual([]);
      isAnswered = true;
      await pass(1000);
      const last = asked();
      await pass(10_000);
      expect([last, asked()]).toEqual([6, 6]);
      expect(requests('setSetting').map(({ body }) => body)).toEqual([
        { key: 'webhookData', value: JSON.stringify(['webhook-1']) },
      ]);
    },
  );
});
