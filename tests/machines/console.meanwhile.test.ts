import { describe, expect, it } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import type { ConsoleEvent, JourneyLocation } from '#machines/console.ts';
import { isMadeMeanwhile, showsEarlier } from '#machines/console.shown.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { deferred, settled } from '#tests/support/deferredPorts.ts';
import { failure, provider } from '#tests/support/fixtures.ts';
import { createActor, type AnyMachineSnapshot, type EventObject } from 'xstate';
import { noDraft } from '#machines/lib/draft.ts';
import { models } from './models.ts';

/** A console at a form that was opened with these facts. */
async function opened(journey: JourneyId, known: Facts, more: Partial<JourneyLocation> = {}) {
  const ports = deferred(models[journey].machine);
  const actor = createActor(consoleMachine, { clock: ports.clock }).start();
  const send = async (...events: ConsoleEvent[]) => {
    events.forEach((event) => actor.send(event));
    await settled();
  };
  const opening: JourneyLocation = { journey, guided: false, back: null, query: '', ...more };
  const draft = () => ({ ...noDraft, fields: { name: 'Typed', serviceUserNumber: '123456' } });
  await send({ type: 'address.changed', opening });
  await send(
    { type: 'journey.loaded', journey, code: { machine: ports.machine, draft } },
    { type: 'facts.arrived', facts: known },
  );
  const step = () => actor.getSnapshot().context.step!.getSnapshot() as AnyMachineSnapshot; // journeys are machines
  const context = () => step().context as { values: Record<string, string>; errors: unknown[] }; // of a form
  const type = async (event: EventObject & Record<string, unknown>) => {
    actor.getSnapshot().context.step!.send(event);
    await settled();
  };
  const shows = () => [showsEarlier(actor.getSnapshot()), isMadeMeanwhile(actor.getSnapshot())];
  return { ...ports, actor, send, step, context, type, shows };
}

const [form, earlier, meanwhile] = [
  [false, false],
  [true, false],
  [true, true],
];
const arrive = (facts: Facts): ConsoleEvent => ({ type: 'facts.arrived', facts });
const again: ConsoleEvent = { type: 'another.start' };

describe.each(['organisation', 'company', 'account', 'dataset'] as const)('the form of %s', (journey) => {
  it('gives way to what there is, however the page is opened, until the user asks for another one (behaviour 6.5)', async () => {
    for (const more of [{}, { guided: true }, { back: '/debtors' as const }]) {
      const { actor, send, shows, step } = await opened(journey, everything, more);
      const { step: before } = actor.getSnapshot().context;
      expect(shows()).toEqual(earlier);
      await send(again);
      expect([shows(), step().value]).toEqual([form, { form: 'editing' }]);
      expect(actor.getSnapshot().context.step).toBe(before);
    }
    expect((await opened(journey, everything, { another: true })).shows()).toEqual(form);
  });

  it('can be left from there', async () => {
    const { send, actor } = await opened(journey, everything);
    await send({ type: 'result.close' });
    expect(actor.getSnapshot().value.page).toBe('leaving');
  });
});

describe('a form beside which another tab or a program creates a record', () => {
  const [none, one] = [factsAfter('organisation'), factsAfter('company')];

  it('asks before a second one, opens again with what was typed, and then creates it (behaviour 6.5)', async () => {
    const { actor, send, shows, context, type, pending } = await opened('company', none);
    const before = actor.getSnapshot().context.step!; // it is open
    await type({ type: 'form.change', field: 'contactEmail', value: 'nobody' });
    await type({ type: 'form.submit' });
    expect(context().errors).not.toEqual([]);
    await send(arrive(one));
    expect(shows()).toEqual(meanwhile);
    await send(again);
    expect([shows(), context().errors, context().values['name']]).toEqual([form, [], 'Typed']);
    expect((before.getSnapshot() as AnyMachineSnapshot).status).toBe('stopped');
    await type({ type: 'form.fill' });
    await type({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ beside: one.settings.companyId });
    await send(arrive(one));
    expect(shows()).toEqual(form);
  });

  it('asks nothing while its own request is under way or its outcome unknown, and then does (behaviour 4.26, 6.5)', async () => {
    const { send, shows, type, refuse, step } = await opened('company', none);
    await type({ type: 'form.fill' });
    await type({ type: 'form.submit' });
    await send(arrive(one));
    expect(shows()).toEqual(form);
    await refuse('submit', { ...failure, outcome: 'unknown' });
    await send(arrive(one));
    expect([shows(), step().value]).toEqual([form, { form: 'refused' }]);
    await type({ type: 'retry' });
    await refuse('submit', { ...failure, code: 'exists-already', outcome: 'not-sent' });
    await send(arrive(one));
    expect(shows()).toEqual(meanwhile);
  });

  it.each(['not-sent', 'refused'] as const)('asks where its request was %s (behaviour 6.5)', async (outcome) => {
    const { send, shows, type, refuse } = await opened('company', none);
    await type({ type: 'form.fill' });
    await type({ type: 'form.submit' });
    await refuse('submit', { ...failure, outcome });
    await send(arrive(one));
    expect(shows()).toEqual(meanwhile);
  });

  it('opens beside the latest one also after the earlier one was shown', async () => {
    const { send, shows, type, pending } = await opened('company', one);
    const two = withFacts(one, {
      companies: [...one.companies, { ...one.companies[0]!, companyId: 'later', companyKey: 'later' }],
    });
    await send(arrive(two));
    expect(shows()).toEqual(earlier);
    await send(again);
    await type({ type: 'form.fill' });
    await type({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ beside: 'later' });
  });

  it('is shown again once what was created beside it is gone, and asks once more beside another one', async () => {
    const before = factsAfter('account');
    const having = (accountId: string) => withFacts(before, { settings: { accountId } });
    const { send, shows, type, pending, context } = await opened('account', before);
    await send(again);
    await type({ type: 'form.change', field: 'externalId', value: 'Typed' });
    await send(arrive(having('elsewhere')));
    expect(shows()).toEqual(meanwhile);
    for (const accountId of [before.settings.accountId, '']) {
      await send(arrive(having(accountId)));
      expect([shows(), context().values['externalId']]).toEqual([form, 'Typed']);
      await send(arrive(having('elsewhere')));
      expect(shows()).toEqual(meanwhile);
    }
    await send(arrive(before));
    await type({ type: 'form.submit' });
    expect(pending('submit').input).toMatchObject({ beside: before.settings.accountId });
  });

  describe('of a subscription', () => {
    const listing = (...ids: string[]) =>
      withFacts(factsAfter('company'), {
        settings: { subscriptions: JSON.stringify(ids.map((subscriptionId) => ({ subscriptionId }))) },
      });

    it('asks before a provider is chosen, and after the server has refused one more (behaviour 6.5)', async () => {
      const { send, shows, answer, refuse, type, step } = await opened('subscription', listing());
      await answer('loadChoice', { providers: [provider, { ...provider, providerId: 'other' }], banks: [] });
      expect(step().value).toBe('choosing');
      await send(arrive(listing('elsewhere')));
      expect(shows()).toEqual(meanwhile);
      await send(again);
      await answer('loadChoice', { providers: [provider], banks: [] });
      expect(shows()).toEqual(form);
      await type({ type: 'form.submit' });
      await refuse('createSubscription', { ...failure, code: 'exists-already', outcome: 'not-sent' });
      await send(arrive(listing('elsewhere', 'later')));
      expect(shows()).toEqual(meanwhile);
    });

    it('asks nothing where one was only removed, or there was one as the form opened', async () => {
      const { send, shows, answer } = await opened('subscription', listing('first'));
      await answer('loadChoice', { providers: [provider], banks: [] });
      await send(arrive(listing()), arrive(listing('first')));
      expect(shows()).toEqual(form);
    });
  });
});
