import { describe, expect, it } from 'vitest';
import { createServiceClock, shownTime } from '#server/calls/serviceClock.ts';

const start = Date.UTC(2026, 0, 5, 9);
const http = (ms: number): string => new Date(ms).toUTCString();

type Answer = readonly [arrivedAt: number, shown: number, took: number, age?: string | undefined, mayBeKept?: boolean];

/** A service's clock that has seen answers: when each arrived, its Date, how long it took (s), its Age, and whether a cache may have kept it. */
function afterAnswers(answers: readonly Answer[]) {
  let now = start;
  const clock = createServiceClock({ steady: () => now });
  for (const [arrivedAt, shown, took, age, mayBeKept = false] of answers) {
    now = start + arrivedAt * 1000;
    clock.observe({ date: http(start + shown * 1000), ...(age !== undefined && { age }) }, took * 1000, mayBeKept);
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

  it.each<[string, Answer[], number]>([
    [
      'nothing, if the cache writes its own Date beside the Age',
      [
        [0, 0, 1],
        [100, 100, 1, '3600'],
        [101, 101, 1],
      ],
      101,
    ],
    [
      'nothing, if its clock is some seconds ahead',
      [
        [0, 0, 1],
        [100, 120, 1, '3600'],
      ],
      100,
    ],
    [
      'at most a later time, which the service itself corrects',
      [
        [100, 100, 1, '3600'],
        [101, 101, 1],
      ],
      101,
    ],
    [
      'nothing, if it adds no Age',
      [
        [0, 0, 1],
        [100, -3600, 1, undefined, true],
      ],
      100,
    ],
    [
      'a later time, if it adds no Age',
      [
        [0, 0, 1],
        [100, 3600, 1, undefined, true],
      ],
      3600,
    ],
  ])('shows %s, and never that the clock was set back', (_, answers, shown) => {
    const clock = afterAnswers(answers);
    expect(clock.now()).toBe(start + shown * 1000);
    expect(clock.sinceSetBack()).toBe(Infinity);
  });

  it('does not hide that the clock was set back below its Date (threat 3.33)', () => {
    const clock = afterAnswers([
      [0, 0, 1],
      [100, 5000, 1, '3600'],
      [101, 101, 1],
    ]);
    expect(clock.sinceSetBack()).toBe(0);
  });

  it.each(['', '0', ' 0', '0, 0'])('that is of the service itself does show it: Age “%s” (threat 3.33)', (age) => {
    const answers: Answer[] = [
      [0, 0, 1],
      [100, -60, 1, age],
    ];
    expect(afterAnswers(answers).sinceSetBack()).toBe(0);
  });
});

it.each([
  'Mon, 05 Jan 2026 09:00:00 GMT',
  'Monday, 05-Jan-26 09:00:00 GMT',
  'Mon Jan  5 09:00:00 2026',
  'Mon, 5 Jan 2026 09:00:00 GMT',
  'mon, 05 jan 2026 09:00:00 gmt',
  '05 Jan 2026 09:00:00 UTC',
  'Mon, 05 Jan 2026 10:00:00 +0100',
  '2026-01-05T09:00:00Z',
  '2026-01-05T11:00:00.000+02:00',
])('The time of an answer is read of a Date in each usual form: %s', (date) => {
  expect(shownTime({ date })).toBe(start);
});

it.each<[string, Parameters<typeof shownTime>[0]]>([
  ['has no zone', { date: '2026-01-05 09:00:00' }],
  ['has no time', { date: '2026-01-05Z' }],
  ['is doubled as a list of another form', { date: '2026-01-05T09:00:00Z,2026-01-06T09:00:00Z' }],
  ['is a number with a time', { date: '5 09:00:00 GMT' }],
  ['is missing', { age: '5' }],
  ['is doubled', { date: `${http(start)}, ${http(start)}` }],
  ['is no date of HTTP', { date: '5', age: '5' }],
])('No time is shown by an answer whose Date %s', (_, headers) => {
  expect(shownTime(headers)).toBeUndefined();
});
