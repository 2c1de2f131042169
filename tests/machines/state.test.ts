import { expect, it } from 'vitest';
import { stateOf } from '#machines/lib/state.ts';

it.each([
  ['editing', 'editing'],
  [{ answering: 'waiting' }, 'answering.waiting'],
  [{ answering: { waiting: 'long' } }, 'answering.waiting.long'],
])('the state value %j is named %s', (value, name) => {
  expect(stateOf({ value })).toBe(name);
});
