import { describe, expect, it } from 'vitest';
import { exampleStartMachine } from '#machines/settings/exampleStart.machine.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const take = (facts = factsAfter('nothing')) => ({ type: 'examples.take', facts }) as const;

describe('starting with examples', () => {
  it('saves the settings that are not chosen, once by any number of presses (behaviour 4.23, 10.13.3)', async () => {
    const { sends, at, answer, calls } = run(exampleStartMachine);
    await sends(take(withFacts(factsAfter('nothing'), { settings: { acceptLanguage: 'en-GB' } })));
    await sends(take());
    expect([at(), calls.length]).toEqual(['saving', 1]);
    expect(calls[0]?.input).toEqual([
      { key: 'providerCountry', value: 'GB' },
      { key: 'fileFormatCountry', value: 'GB' },
    ]);
    await answer('start');
    expect(at()).toBe('started');
  });

  it.each([
    ['at a live service', withFacts(factsAfter('nothing'), { environment: 'live' })],
    ['once the settings are chosen', everything],
  ])('is not possible %s', (_, facts) => {
    expect(run(exampleStartMachine).can(take(facts))).toBe(false);
  });

  it('that failed shows why, and can be tried again', async () => {
    const { sends, at, refuse, context } = run(exampleStartMachine);
    await sends(take());
    await refuse('start', failure);
    expect([at(), context()['failure']]).toEqual(['refused', failure]);
    await sends(take());
    expect([at(), context()['failure']]).toEqual(['saving', null]);
  });
});

describeWatched(exampleStartMachine);
