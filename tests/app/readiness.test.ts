import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chart } from '#machines/lib/chart.ts';
import { failures } from '#ui/failures.ts';
import { clearSeenStates, recordSeenState, type SeenStates } from '#app/console/seenStates.ts';
import { matrixOf, metOf, sheetOf, sheetMarkdown } from '#app/lab/readinessSheet.ts';
import { setStorage } from '#app/api/storage.ts';

const state = (id: string, kind: Chart['states'][number]['kind'], parent = '') => ({
  ...{ id, name: id, parent, kind, initial: false },
  description: `It is ${id}`,
});
const chart: Chart = {
  states: [
    state('deciding', 'deciding'),
    state('editing', 'open'),
    state('answering', 'waiting'),
    state('answering.waiting', 'waiting', 'answering'),
    state('refused', 'failed'),
    state('done', 'done'),
  ],
  transitions: [],
} as unknown as Chart; // what the sheet reads of a chart
const known = {
  charts: [{ journey: 'company', chart }] as const,
  failures,
  scenarios: [
    { name: 'Right', because: '' },
    { name: 'Wrong', because: 'paid twice' },
    { name: 'Never', because: undefined },
  ],
};

describe('the storage of states and failures seen', () => {
  const kept = new Map<string, string>();
  const place = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const met = () => JSON.parse(kept.get('met') ?? 'null') as SeenStates | null;
  beforeEach(() => setStorage({ shared: place, tab: place }));
  afterEach(() => setStorage(null));

  it('records each state and failure once, and is emptied by clearSeenStates', () => {
    recordSeenState('company', 'editing', null);
    recordSeenState('company', 'refused', 'upstream-busy');
    recordSeenState('company', 'refused', 'upstream-busy');
    recordSeenState('account', 'editing', 'upstream-busy');
    expect(met()).toEqual({
      states: { company: ['editing', 'refused'], account: ['editing'] },
      failures: ['upstream-busy'],
    });
    clearSeenStates();
    expect(met()).toBeNull();
  });

  it('starts empty if the stored value is invalid JSON', () => {
    kept.set('met', '{"states":');
    recordSeenState('company', 'editing', null);
    expect(met()).toEqual({ states: { company: ['editing'] }, failures: [] });
  });
});

describe('the readiness sheet', () => {
  const sheet = sheetOf({ states: { company: ['done', 'answering.waiting'] }, failures: ['token-expired'] }, known);
  const part = (title: string) => sheet.find((each) => each.title.startsWith(title))!;

  it('counts the visible states of a journey only', () => {
    expect(part('States of').lines).toEqual([
      { name: 'It is editing', met: false },
      { name: 'It is answering.waiting', met: true },
      { name: 'It is refused', met: false },
      { name: 'It is done', met: true },
    ]);
    expect(metOf(part('Capabilities'))).toBe(1);
  });

  it('marks the failures seen and the scenarios passed', () => {
    expect(part('Failures').lines.filter(({ met }) => met)).toEqual([
      { name: failures['token-expired'].cause, met: true },
    ]);
    expect(part('Failures').lines).toHaveLength(Object.keys(failures).length);
    expect(part('Passed scenarios').lines.map(({ met }) => met)).toEqual([true, false, false]);
  });

  it('counts a lookup’s capability only after the lookup has shown a result', () => {
    const showing = { ...chart, states: [state('asking', 'asking'), state('shown', 'open')] };
    const of = (states: string[]) =>
      sheetOf(
        { states: { providers: states }, failures: [] },
        { ...known, charts: [{ journey: 'providers', chart: showing }] },
      );
    expect([['asking'], ['shown']].map((states) => metOf(of(states)[0]!))).toEqual([0, 1]);
  });

  it('is saved as text with checkboxes and a table of operations and faults (behaviour 10.20.12)', () => {
    const text = sheetMarkdown(
      sheet,
      matrixOf({ 'pay.tooMany': { because: 'paid | twice' }, answerLost: { because: '' } }),
      '2026-01-31T09:00:00.000Z',
    );
    expect(text).toContain('## Passed scenarios (1 of 3)\n\n- [x] Right\n- [ ] Wrong\n- [ ] Never');
    expect(text).toContain('## Operations and faults (1 of 35)');
    expect(text).toContain('| Operation | Response lost | No connection | 429 |');
    expect(text).toContain('| Pay | ✓ passed | not run | ✕ failed: paid / twice | not run |');
    expect(text).toContain('until 2026-01-31T09:00:00.000Z');
  });
});
