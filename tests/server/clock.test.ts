import { expect, it } from 'vitest';
import { followingClock, systemClock } from '#server/clock.ts';

it('the steady time of servers with a common clock does not go back when that clock does', () => {
  const clock = followingClock({ ...systemClock, steady: () => 5 });
  clock.follow(10);
  expect(clock.steady()).toBe(15);
  clock.follow(-10);
  expect(clock.steady()).toBe(15);
});
