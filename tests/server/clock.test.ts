import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { followingClock, systemClock } from '#server/clock.ts';

it('The steady time that servers share does not go back when the common clock is set back', () => {
  const clock = followingClock({ ...systemClock, steady: () => 5 });
  clock.follow(10);
  expect(clock.steady()).toBe(15);
  clock.follow(-10);
  expect(clock.steady()).toBe(15);
});

it('A clock that follows another one sets its timers on it, also if its methods are those of a class', () => {
  const simulated = new SimulatedClock();
  const clock = followingClock(Object.assign(simulated, { steady: () => simulated.now() }));
  const rung: number[] = [];
  clock.setTimeout(() => rung.push(simulated.now()), 10);
  clock.clearTimeout(clock.setTimeout(() => rung.push(0), 10));
  simulated.increment(10);
  expect(rung).toEqual([10]);
});
