import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JourneyId } from '#machines/journeys.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';
import { models } from './models.ts';

/** The journeys and their states that scenarios name, in the order of journey and state. */
const named = readdirSync('src/runner').flatMap((file) =>
  [
    ...readFileSync(`src/runner/${file}`, 'utf8').matchAll(
      /(?:passed\(seen, |journey: )'(\w+)',\s*(?:state: )?'([\w.]+)'/g,
    ),
  ].map(([, journey = '', state = '']) => [journey as JourneyId, state] as const),
);

describe('a state that a scenario waits for or checks', () => {
  it.each(named)('of %s is one of its chart: %s', (journey, state) => {
    expect(statesOf(models[journey].machine).map(({ path }) => path.join('.'))).toContain(state);
  });

  it('is found in the scenarios of payments, creditors and batches', () => {
    expect([...new Set(named.map(([journey]) => journey))]).toEqual(
      expect.arrayContaining(['electronicPayment', 'creditor', 'batch', 'subscription']),
    );
  });
});
