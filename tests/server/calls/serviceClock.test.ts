import { describe, expect, it } from 'vitest';
import { createServiceClock, shownTime } from '#server/calls/serviceClock.ts';

const start = Date.UTC(2026, 0, 5, 9);
const http = (ms: number): string => new Date(ms).toUTCString();

type Answer = readonly [arrivedAt: number, shown: number, took: number, age?: string];

/** A service's clock that has seen answers: when each arrived, its Date, how long it took (s), and its Age. */
function afterAnswers(answers: readonly Answer[]) {
  let now = start;
  const clock = createServiceClock({ steady: () => now });
  for (const [arrivedAt, shown, took, age] of answers) {
    now = start + arrivedAt * 1000;
    clock.observe({ date: http(start + shown * 1000), ...(age !== undefined && { age }) }, took * 1000);
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

describe('An answer of a cache', () => {
  it.each<[string, Answer[], number]>([
    ['Date plus Age, if nothing else has shown a time', [[100, 0, 1, '100']], 100],
    ['Date plus the first of several ages', [[100, 0, 1, '100, 7']], 100],
    ['Date, if the age is no number', [[100, 90, 1, 'old']], 90],
    ['Date, if the age is negative', [[100, 90, 1, '-5']], 90],
    ['Date, if the age has a fraction', [[100, 90, 1, '10.5']], 90],
    ['Date, if the age is longer than a day', [[100, 90, 1, '99999999999999999999']], 90],
    [
      'the later time of the service itself',
      [
        [0, 0, 1],
        [100, 50, 1, '20'],
      ],
      100,
    ],
    [
      'a time that is later than the service has shown',
      [
        [0, 0, 1],
        [100, 500, 1, '200'],
      ],
      700,
    ],
    [
      'a time that is later, whatever its age',
      [
        [0, 0, 1],
        [100, 500, 1, 'old'],
      ],
      500,
    ],
  ])('shows %s', (_, answers, shown) => {
    const clock = afterAnswers(answers);
    expect(clock.now()).toBe(start + shown * 1000);
    expect(clock.sinceSetBack()).toBe(Infinity);
  });

  it.each(['50', '0, 50', '50, 0', 'old', '-5', '10.5', '99999999999999999999', '1e3', '∞'])(
    'never shows that the clock was set back: Age %s',
    (age) => {
      const clock = afterAnswers([
        [0, 0, 1],
        [100, -86_400, 1, age],
      ]);
      expect(clock.sinceSetBack()).toBe(Infinity);
      expect(clock.now()).toBe(start + 100_000);
    },
  );

  it.each(['', '0', ' 0', '0, 0'])('that is of the service itself does show it: Age “%s” (threat 3.33)', (age) => {
    const answers: Answer[] = [
      [0, 0, 1],
      [100, -60, 1, age],
    ];
    expect(afterAnswers(answers).sinceSetBack()).toBe(0);
  });
});

it.each<[string, Parameters<typeof shownTime>[0]]>([
  ['is missing', { age: '5' }],
  ['is doubled', { date: `${http(start)}, ${http(start)}` }],
  ['is no date of HTTP', { date: '5', age: '5' }],
])('No time is shown by an answer whose Date %s', (_, headers) => {
  expect(shownTime(headers)).toBeUndefined();
});
