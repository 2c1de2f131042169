import { describe, expect, it } from 'vitest';
import { createActor, createMachine } from 'xstate';
import type { CallName } from '#contract/calls.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { usersEvents } from '../../scripts/charts/chartOf.ts';
import { reportsTo } from '../../scripts/charts/origins.ts';
import { unavailableBecause, type ConsoleEvent, type JourneyLocation } from '#machines/console.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { after, arrived, back, directly, facts, loaded, open, working } from './console.running.ts';

/** What effects and the open journey report, so that no user has caused it. */
const reported: readonly ConsoleEvent['type'][] = [
  'facts.arrived' as const,
  'facts.known' as const,
  'facts.failed' as const,
  'facts.stale' as const,
  'journey.loaded' as const,
  'journey.broken' as const,
  'journey.completed' as const,
  'subscription.switched' as const,
  'company.switched' as const,
];

describe('the console machine', () => {
  it('takes reports of effects for no event of the user', () => {
    expect([...usersEvents(consoleMachine).keys()].toSorted()).toEqual(
      ['address.changed', 'another.start', 'next.accept', 'result.close', 'retry'].toSorted(),
    );
    expect(reportsTo(consoleMachine).toSorted()).toEqual(reported.toSorted());
  });

  it('opens the journey once both its code and the facts are there, and knows the facts that it has changed', () => {
    expect(after(open(directly), arrived, loaded())).toMatchObject({ page: 'working', context: { facts } });
    const known = factsAfter('company');
    expect(after(...working, { type: 'facts.known', facts: known }).context.facts).toBe(known);
  });

  it.each<Partial<JourneyLocation>>([{ guided: true }, { back: '/debtors' }, { another: true }, { about: 'batch-1' }])(
    'opens the page anew whose address says otherwise: %o',
    (change) => {
      const before = after(...working).asked.length;
      expect(after(...working, open({ ...directly, ...change })).asked.slice(before)).toContain('close');
      expect(after(...working, open({ ...directly, query: '?more' })).asked).toHaveLength(before);
    },
  );

  it('keeps the result with which a journey ends, and none of one that was left', () => {
    const ends = (type: 'succeeded' | 'cancelled'): ConsoleEvent => ({
      type: 'xstate.done.actor.step',
      output: type === 'succeeded' ? { type, result: { companyId: '1' } } : { type },
    });
    const made = { journey: 'company', result: { companyId: '1' } };
    const toGate = [open(back), loaded(back), arrived];
    for (const before of [
      working,
      toGate,
      [...toGate, { type: 'facts.arrived', facts: factsAfter('company') } as const],
    ])
      expect(after(...before, ends('succeeded'))).toMatchObject({ context: { made }, result: 'awaited' });
    expect(after(...working, ends('cancelled'))).toMatchObject({ context: { made: null }, result: 'none' });
  });

  it('keeps the error of code that fails to load, and of a journey that crashes', () => {
    const error = new Error('Loading chunk failed');
    const broken = { type: 'journey.broken', journey: directly.journey, error } as const;
    expect(after(open(directly), broken)).toMatchObject({ page: 'broken', context: { error } });
    expect(after(...working, { type: 'xstate.error.actor.step', error })).toMatchObject({
      page: 'broken',
      context: { error },
    });
  });
});

describe('a failed read of the facts', () => {
  const failed: ConsoleEvent = { type: 'facts.failed', failure };

  it('keeps a journey closed and shows the reason until the facts arrive', () => {
    const { page, facts: state, context } = after(open(directly), loaded(), failed);
    expect([page, unavailableBecause(context), state]).toEqual(['unavailable', failure, 'failed']);
    for (const again of ['retry', 'facts.stale'] as const)
      expect(after(open(directly), loaded(), failed, { type: again }, arrived).page).toBe('working');
    expect(after(open(directly), loaded(), failed, { type: 'retry' }).page).toBe('loading');
    expect(after(open(directly), loaded(), failed, { type: 'result.close' })).toMatchObject({
      page: 'leaving',
      gone: [{ type: 'go', to: '/', done: null }],
    });
  });
});

describe('a switch to another company', () => {
  const made: ConsoleEvent = { type: 'xstate.done.actor.step', output: { type: 'succeeded', result: {} } };

  it.each<[CallName, ConsoleEvent[]]>([
    ['setSetting', working],
    ['useExisting', working],
    ['removeRecord', working],
    ['createOrganisation', working], // of a page that was left before its answer came
    ['setSetting', [open(directly)]],
    ['setSetting', [...working, made]],
  ])('by %s ends the open journey and opens the home page (behaviour 10.10.5)', (by, events) => {
    const before = after(...events).asked.length;
    const { page, facts: state, context, asked, gone } = after(...events, { type: 'company.switched', by });
    expect([page, context.step, context.made, state]).toEqual(['leaving', null, null, 'reading']);
    expect(asked.slice(before)).toContain('close');
    expect(gone.at(-1)).toEqual({ type: 'go', to: '/', done: null });
  });

  it.each<[string, ConsoleEvent[], CallName]>([
    ['a page without a journey', [open(null)], 'setSetting'],
    ['the timeline, from which a call is repeated', [open(null)], 'createCompany'],
  ])('keeps %s open and reads the facts', (_, events, by) => {
    const before = after(...events);
    const { page, asked, gone } = after(...events, { type: 'company.switched', by });
    expect([page, gone, asked.at(-1)]).toEqual([before.page, [], 'readFacts']);
  });

  it('keeps the journey that creates it open, and reads the facts once that has ended', () => {
    const switched: ConsoleEvent = { type: 'company.switched', by: 'createCompany' };
    const readings = (events: ConsoleEvent[]) => after(...events).asked.filter((each) => each === 'readFacts').length;
    const before = after(...working);
    expect(after(...working, switched)).toMatchObject({ page: before.page, gone: [] });
    const first = { ...directly, journey: 'organisation' } as const;
    const creating = [open(first), loaded(first), { type: 'facts.arrived', facts: factsAfter('settings') } as const];
    expect(after(...creating, { type: 'company.switched', by: 'createOrganisation' }).page).toBe('working');
    expect(readings([...working, switched])).toBe(readings(working));
    expect(readings([...working, switched, made])).toBe(readings(working) + 1);
  });
});

describe('an address of another record', () => {
  const about = (record: string): JourneyLocation => ({
    journey: 'batch',
    guided: false,
    back: null,
    query: `?batchId=${record}`,
    ...(record && { about: record }),
  });
  const machine = createMachine({ context: ({ input }) => input as object }); // an object, by `input` below
  const input = (query: URLSearchParams) => ({ batchId: query.get('batchId') });

  it.each([
    ['batch-1', 'batch-2'],
    ['', 'batch-2'],
    ['batch-1', ''],
  ])('opens the page anew, from “%s” to “%s” and back (behaviour 10.12.2)', (one, other) => {
    const actor = createActor(consoleMachine).start();
    actor.send({ type: 'facts.arrived', facts });
    const seen = [one, other, one].map((record) => {
      actor.send(open(about(record)));
      actor.send({ type: 'journey.loaded', journey: 'batch', code: { machine, input } });
      actor.send({ type: 'facts.arrived', facts });
      const step = actor.getSnapshot().context.step?.getSnapshot() as { context: { batchId: string } } | undefined; // of the machine above
      return step?.context.batchId;
    });
    expect(seen).toEqual([one, other, one]);
  });
});
