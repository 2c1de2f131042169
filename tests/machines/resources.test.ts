import { describe, expect, it } from 'vitest';
import type { LabStanding } from '#contract/lab.ts';
import { isOn, labKind, type LabAct, type LabReading } from '#machines/lab/lab.ts';
import { rowsKind, sendAgainKind, situationKind } from '#machines/lab/resources.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { resourceMachine } from '#machines/lib/resource.machine.ts';
import { paletteKind, whyNot } from '#machines/palette.ts';
import { exampleStart } from '#app/effects/company.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { run } from '#tests/support/recordedRuns.ts';

const rule = { ruleId: 'rule-1', on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1, asked: 0, happened: 0 } as const; // prettier-ignore
const nothing: LabStanding = {
  rules: [],
  clock: { now: '2026-01-31T09:00:00.000Z', offset: 0, still: false, pending: 0 },
  receiver: { url: null },
};
const changed: LabStanding = {
  rules: [rule],
  clock: { ...nothing.clock, offset: 60_000 },
  receiver: { url: 'http://127.0.0.1:9/' },
};
const stopped: LabStanding = { ...changed, clock: { ...nothing.clock, still: true } };
const everyDay: LabStanding = { ...nothing, clock: { ...nothing.clock, everyDay: true } };
const reading = (standing: LabStanding): LabReading => ({ ...standing, readAt: 0 });

describe('the fault lab', () => {
  const acts: (readonly [act: LabAct, possible: LabStanding, impossible: LabStanding | null])[] = [
    [{ act: 'lab.stop' }, changed, nothing],
    [{ act: 'faults.stop' }, changed, { ...changed, rules: [] }],
    [{ act: 'fault.remove', ruleId: 'rule-1' }, changed, nothing],
    [{ act: 'clock.reset' }, stopped, nothing],
    [{ act: 'clock.run' }, stopped, changed],
    [{ act: 'receiver.remove' }, changed, nothing],
    [{ act: 'clock.hold' }, nothing, stopped],
    [{ act: 'clock.everyDay' }, nothing, everyDay],
    [{ act: 'clock.bankingDays' }, everyDay, nothing],
    [{ act: 'clock.move', ms: 60_000 }, nothing, null],
  ];

  it.each(acts)('permits %o only where it would change something', (act, possible, impossible) => {
    expect(labKind.permits?.(act, reading(possible))).toBe(true);
    expect(labKind.permits?.(act, null)).toBe(false);
    if (impossible) expect(labKind.permits?.(act, reading(impossible))).toBe(false);
  });

  it('is on if a fault is set or the clock differs, and not where nothing was read', () => {
    expect([nothing, changed, stopped, null].map(isOn)).toEqual([false, true, true, false]);
  });

  it.each([
    ['clock.hold', 'clock.run'],
    ['clock.run', 'clock.hold'],
  ] as const)(
    'ignores the opposite of %s as the second press of a double click, and takes any other control',
    async (first, opposite) => {
      const lab = run(resourceMachine, labKind);
      const clock = (still: boolean) => reading({ ...changed, clock: { ...nothing.clock, still } });
      await lab.answer('read', clock(first === 'clock.run'));
      await lab.sends({ type: 'act', act: first } as never);
      await lab.answer('act');
      await lab.answer('read', clock(first === 'clock.hold'));
      const can = (act: string) => lab.can({ type: 'act', act } as never);
      expect([can(opposite), can('receiver.remove')]).toEqual([false, true]);
      await lab.pass(doubleClick);
      expect(can(opposite)).toBe(true);
    },
  );

  it('keeps its last reading and its controls if it cannot be read again (behaviour 6.11)', async () => {
    const lab = run(resourceMachine, labKind);
    await lab.answer('read', reading(changed));
    await lab.sends({ type: 'reading.stale' });
    await lab.refuse('read', failure);
    expect(lab.context()).toMatchObject({ known: changed, unread: failure });
    expect(lab.can({ type: 'act', act: 'lab.stop' } as never)).toBe(true);
  });
});

describe('a list with rows', () => {
  const rows = [{ id: 'a', may: ['step'] }];

  it('permits what the row allows', () => {
    const permits = (id: string, act: string) => rowsKind.permits?.({ id, act }, rows);
    expect([permits('a', 'step'), permits('a', 'explain'), permits('b', 'step')]).toEqual([true, false, false]);
    expect(rowsKind.permits?.({ id: 'a', act: 'step' }, null)).toBe(false);
  });

  it('takes another row’s act, or another act on the row, right after one', () => {
    const repeats = (id: string, act: string) => rowsKind.repeats?.({ id, act }, { id: 'a', act: 'step' });
    expect([repeats('a', 'step'), repeats('b', 'step'), repeats('a', 'explain')]).toEqual([true, false, false]);
  });
});

describe('a call of the timeline', () => {
  const call = { kind: 'call', name: 'getFacts' } as never;
  const act = { act: 'repeat', call, isLive: false } as const;

  it('is sent again under a new key after a question only', () => {
    expect([sendAgainKind.asks?.({ ...act, key: 'new' }), sendAgainKind.asks?.({ ...act, key: 'same' })]).toEqual([true, false]); // prettier-ignore
  });

  it('may change the facts unless it only reads', () => {
    const write = { kind: 'call', name: 'createBatch' } as never;
    expect(sendAgainKind.changesFacts?.({ ...act, key: 'same' })).toBe(false);
    expect(sendAgainKind.changesFacts?.({ ...act, key: 'same', call: write })).toBe(true);
  });
});

describe('a situation file', () => {
  const file = new File(['{}'], 'moment.json');
  const checked = { file, savedAt: '2026-01-01T00:00:00Z', opens: [], ends: [] };

  it('is opened only if it is the one that was checked (behaviour 10.27.1)', () => {
    const permits = (given: File | null) => situationKind.permits?.({ act: 'open', file: given }, checked);
    expect([permits(file), permits(new File(['{}'], 'moment.json')), permits(null)]).toEqual([true, false, false]);
  });

  it('is not dismissed while it is being opened, and is after a refusal (behaviour 10.27.6)', async () => {
    const page = run(resourceMachine, situationKind);
    const told: string[] = [];
    page.actor.on('*', ({ type }) => told.push(type));
    await page.sends({ type: 'subject.choose', subject: file } as never);
    expect(page.pending('read').input).toBe(file);
    await page.answer('read', checked);
    await page.sends({ type: 'act', act: 'open', file } as never);
    await page.sends({ type: 'dismiss' });
    expect(told).toEqual([]);
    await page.refuse('act', failure);
    await page.sends({ type: 'dismiss' });
    expect(told).toEqual(['facts.changed', 'dismissed']);
    expect(page.context()).toMatchObject({ failure, known: checked });
  });
});

describe('the acts of the palette', () => {
  it('are permitted where nothing is missing, and otherwise say what is', () => {
    const bare = factsAfter('nothing');
    expect(whyNot.copyToken(bare)).toBe('There is no company yet');
    expect(whyNot.suspend(bare)).toBe('There is no subscription yet');
    expect(paletteKind.permits?.({ act: 'suspend', facts: bare }, null)).toBe(false);
    expect(paletteKind.permits?.({ act: 'suspend', facts: everything }, null)).toBe(true);
    expect(paletteKind.permits?.({ act: 'useCompany', owner: {} as never }, null)).toBe(true);
  });
});

describe('starting with examples', () => {
  const permits = (facts: typeof everything) => exampleStart.kind.permits?.({ act: 'take', facts }, null);

  it.each([
    ['where the settings are not chosen', factsAfter('nothing'), true],
    ['at a live service', withFacts(factsAfter('nothing'), { environment: 'live' }), false],
    ['once the settings are chosen', everything, false],
  ])('is possible %s (behaviour 4.23, 10.13.3): %#', (_, facts, isPermitted) =>
    expect(permits(facts)).toBe(isPermitted),
  );
});
