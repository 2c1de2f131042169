import { expect, it } from 'vitest';
import { createMachine, getInitialSnapshot } from 'xstate';
import { messageMachine } from '#machines/lib/message.machine.ts';
import { hasTag, stateOf } from '#machines/lib/state.ts';

const long = { initial: 'waiting', states: { waiting: { initial: 'long', states: { long: {} } } } };
const chart = createMachine({ initial: 'editing', states: { editing: {}, messaging: {}, answering: long } });
const message = (value: string) => {
  const { context } = getInitialSnapshot(messageMachine, { request: null, messageId: 'message-1' });
  return messageMachine.resolveState({ value, context });
};

it.each([
  ['editing', null, 'editing'],
  [{ answering: { waiting: 'long' } }, null, 'answering.waiting.long'],
  ['messaging', message('sending'), 'messaging.sending'],
])('the state %j, with the machine that it invokes, is named %#', (value, invoked, name) => {
  expect(stateOf(chart.resolveState({ value, context: { invoked } }))).toBe(name);
});

it('a state has the tags of the machine that it invokes', () => {
  const at = (state: string) => chart.resolveState({ value: 'messaging', context: { invoked: message(state) } });
  expect([hasTag(at('sending'), 'busy'), hasTag(at('waiting'), 'busy')]).toEqual([true, false]);
  expect([hasTag(at('unanswered'), 'failed'), hasTag(at('unanswered'), 'sent')]).toEqual([true, true]);
});
