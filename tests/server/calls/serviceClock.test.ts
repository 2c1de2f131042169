import { expect, it } from 'vitest';
import { createServiceClock } from '#server/calls/serviceClock.ts';

const start = Date.UTC(2026, 0, 5, 9);
const http = (ms: number): string => new Date(ms).toUTCString();

/** A service's clock that has seen answers: when each arrived, the time it shows, and how long it took (s). */
function afterAnswers(answers: readonly (readonly [arrivedAt: number, shown: number, took: number])[]) {
  let now = start;
  const clock = createServiceClock({ steady: () => now });
  for (const [arrivedAt, shown, took] of answers) {
    now = start + arrivedAt * 1000;
    clock.observe(http(start + shown * 1000), took * 1000);
  }
  return clock;
}

it.each([
  [
    'a slow answer, written before one that overtook it',
    [
      [100, 100, 1],
      [120, 5, 118],
    ],
  ],
  [
    'several slow answers that arrive in reverse order',
    [
      [100, 100, 1],
      [101, 60, 45],
      [102, 20, 90],
      [103, 103, 1],
    ],
  ],
  [
    'answers of hosts some seconds apart',
    [
      [0, 0, 1],
      [1, -20, 1],
    ],
  ],
] as const)('the clock of the service is not taken to be set back after %s', (_, answers) => {
  expect(afterAnswers(answers).sinceSetBack()).toBe(Infinity);
});

it.each([
  [
    'a quick answer shows an earlier time',
    [
      [100, 100, 1],
      [120, 5, 1],
    ],
  ],
  [
    'a slow answer shows a time before it was asked for',
    [
      [100, 100, 1],
      [220, 40, 20],
    ],
  ],
] as const)('the clock of the service is taken to be set back if %s (threat 3.33)', (_, answers) => {
  expect(afterAnswers(answers).sinceSetBack()).toBe(0);
});

it('a slow answer does not change the time of the service that a quicker one has shown', () => {
  const clock = afterAnswers([
    [100, 100, 1],
    [120, 5, 118],
  ]);
  expect(clock.now()).toBe(start + 120_000);
});
