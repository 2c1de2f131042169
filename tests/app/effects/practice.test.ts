import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sequenceFromHere } from '#app/effects/practice.ts';
import { faultHeader } from '#contract/constants.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const recorded = vi.hoisted<{ entries: TimelineEntry[] }>(() => ({ entries: [] }));
vi.mock('#app/client/client.ts', () => ({
  call: (_: string, { query: { limit } }: { query: { limit: string } }) =>
    Promise.resolve({ data: recorded.entries.slice(0, Number(limit)) }),
}));

/** Records an entry; the latest one is first. */
const record = (id: string, changes: Partial<TimelineEntry>) =>
  recorded.entries.unshift(timelineEntry({ id, kind: 'service', method: 'GET', status: 200, ...changes }));
const faulty = { headers: { [faultHeader]: 'tooMany; rule=1' }, body: '', bytes: 0 };

beforeEach(() => {
  recorded.entries.length = 0;
  record('9', { response: faulty });
});

describe('the sequence of what a scenario did', () => {
  it.each<[string, [string, Partial<TimelineEntry>][], string]>([
    [
      'of the latest call with a fault',
      [
        ['10', { response: faulty }],
        ['11', { method: 'POST' }],
      ],
      'entry=10',
    ],
    [
      'of a call without an answer',
      [
        ['10', { status: 0, fault: 'answerLost' }],
        ['11', {}],
      ],
      'entry=10',
    ],
    [
      'of a webhook with a fault',
      [
        ['10', { method: 'POST' }],
        ['11', { kind: 'webhook', request: faulty }],
      ],
      'entry=11',
    ],
    [
      'of the latest write if no entry has a fault',
      [
        ['10', { method: 'POST' }],
        ['11', {}],
      ],
      'entry=10',
    ],
  ])('is that %s (behaviour 10.20.12)', async (_, entries, query) => {
    const sequence = await sequenceFromHere();
    for (const [id, changes] of entries) record(id, changes);
    expect(await sequence()).toBe(`/timeline?${query}&view=sequence`);
  });

  it('is the timeline if nothing was recorded since, whatever was before', async () => {
    const sequence = await sequenceFromHere();
    record('10', {});
    expect(await sequence()).toBe('/timeline');
  });
});
