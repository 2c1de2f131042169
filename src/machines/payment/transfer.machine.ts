import { assign, setup } from 'xstate';
import { loadFacts, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { failureOf } from '../port.ts';

/** The fixed eTransfer: its page opens in a new tab and in a frame (behaviour, section 2). Port: `loadFacts`. */
export const transferMachine = setup({
  types: {
    context: {} as JourneyContext,
    events: {} as JourneyEvent | { type: 'transfer.open' },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { loadFacts },
  actions: { forgetFailure: assign({ failure: null }) },
}).createMachine({
  id: 'transfer',
  context: noFacts,
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Reads where transfers are requested' },
      entry: 'forgetFailure',
      invoke: {
        id: 'loadFacts',
        src: 'loadFacts',
        onDone: { target: 'ready', actions: assign({ facts: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The address of the transfer page could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    ready: {
      tags: ['form'],
      meta: { description: 'The transfer can be requested' },
      on: { 'transfer.open': { target: 'opened' }, 'form.cancel': { target: 'cancelled' } },
    },
    opened: {
      tags: ['form'],
      meta: { description: 'The transfer page was opened in a new tab' },
      on: { 'transfer.open': { target: 'opened' }, 'form.cancel': { target: 'cancelled' } },
    },
    cancelled: { type: 'final', meta: { description: 'The journey is left' } },
  },
});
