import { expect, it } from 'vitest';
import { followingClock, systemClock } from '#server/clock.ts';

it('The steady time that servers share does not go back when the common clock is set back', () => {
  const clock = followingClock({ ...systemClock, steady: () => 5 });
  clock.follow(10);
  expect(clock.steady()).toBe(15);
  clock.follow(-10);
  expect(clock.steady()).toBe(15);
});
