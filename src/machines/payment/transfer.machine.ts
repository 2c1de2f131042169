import { assign, setup } from 'xstate';
import { transferAmount } from '#contract/constants.ts';
import {
  learnt,
  left,
  outputOf,
  type JourneyContext,
  type JourneyEvent,
  type JourneyInput,
  type JourneyOutput,
  type Meta,
  type Tag,
} from '../gate.ts';
import { press } from '../say.ts';

const open = { target: 'opened', description: press(transferAmount.label) } as const;

/** The fixed eTransfer; its page opens in a new tab and in a frame (behaviour, section 2). */
export const transferMachine = setup({
  types: {
    context: {} as JourneyContext,
    input: {} as JourneyInput,
    output: {} as JourneyOutput<never>,
    events: {} as JourneyEvent | { type: 'transfer.open' },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actions: { learn: assign(({ event }) => learnt(event)) },
}).createMachine({
  id: 'transfer',
  context: ({ input }) => ({ facts: input.facts, failure: null }),
  initial: 'ready',
  on: { 'facts.arrived': { actions: 'learn' } },
  output: outputOf,
  states: {
    ready: {
      tags: ['form'],
      meta: { description: 'The transfer can be requested' },
      on: { 'transfer.open': open, 'form.cancel': { target: 'cancelled' } },
    },
    opened: {
      tags: ['form'],
      meta: { description: 'The transfer page was opened in a new tab' },
      on: { 'transfer.open': open, 'form.cancel': { target: 'cancelled' } },
    },
    cancelled: left,
  },
});
