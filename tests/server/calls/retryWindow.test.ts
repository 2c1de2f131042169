import { describe, expect, it } from 'vitest';
import { createRetryWindows } from '#server/calls/retryWindow.ts';
import { systemClock } from '#server/clock.ts';
import { keyTtlOf } from '#server/upstream/wire.ts';

const minute = 60_000;
const [start, electronic, byFile] = [Date.UTC(2026, 10, 20), keyTtlOf({}), keyTtlOf({ fileFormatId: 'f' })];

/** Whether a key that was claimed at the start may be used after its clocks have passed these times (ms). */
function isAlive(keyTtl: number, passed: { machine?: number; steady?: number; service?: number; setBack?: number }) {
  const { machine = 0, steady = 0, service, setBack = Infinity } = passed;
  const time = { now: start, steady: 0 };
  const windows = createRetryWindows({ ...systemClock, now: () => time.now, steady: () => time.steady });
  const window = windows({
    claimedAt: start,
    claimedSteady: 0,
    keyTtl,
    ...(service !== undefined && { serviceTime: 0 }),
    serviceClock: { now: () => service, sinceSetBack: () => setBack, observe: () => undefined },
  });
  Object.assign(time, { now: start + machine, steady });
  return window.remaining() > 0;
}

describe('The life of an idempotency key', () => {
  it.each<[string, boolean, number, Parameters<typeof isAlive>[1]]>([
    ['nine minutes for a file', true, byFile, { machine: 9 * minute, steady: 9 * minute, service: 9 * minute }],
    ['ten minutes for a file', false, byFile, { machine: 10 * minute, steady: 10 * minute }],
    ['eleven minutes', true, electronic, { machine: 11 * minute, steady: 11 * minute }],
    ['13 days', true, electronic, { machine: 13 * 24 * 60 * minute }],
    ['two weeks', false, electronic, { machine: 14 * 24 * 60 * minute }],
    ['ten minutes by the machine’s clock alone, after its sleep', false, byFile, { machine: 10 * minute }],
    ['ten minutes by the steady clock alone', false, byFile, { steady: 10 * minute }],
    ['ten minutes by the service’s clock alone', false, byFile, { service: 10 * minute }],
    [
      'eleven minutes, with the machine’s clock set back',
      false,
      byFile,
      { machine: -60 * minute, steady: 11 * minute },
    ],
    ['an unknown time, with the machine’s clock set back', false, byFile, { machine: -1000 }],
    [
      'a minute, with the service’s clock set back since',
      false,
      byFile,
      { machine: minute, service: 0, setBack: 1000 },
    ],
    [
      'a minute, with the service’s clock set back before',
      true,
      byFile,
      { machine: minute, service: 0, setBack: 2 * minute },
    ],
  ])('after %s: %s (threat 3.17, 3.33, 7.15)', (_, alive, keyTtl, passed) => {
    expect(isAlive(keyTtl, passed)).toBe(alive);
  });
});
