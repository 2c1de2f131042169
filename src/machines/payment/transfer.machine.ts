import { setup } from 'xstate';
import { transferAmount } from '#contract/constants.ts';
import { cancelledState, finalOutput, storesFacts, type JourneyContext, journeyTypes } from '../lib/gate.ts';
import { journeyActions } from '../lib/journeyActions.ts';
import { pressLabel } from '../lib/describe.ts';

const open = { target: 'opened', description: pressLabel(transferAmount.label) } as const;

/** The fixed eTransfer; its page opens in a new tab and in a frame (behaviour, section 2). */
export const transferMachine = setup({
  types: journeyTypes<{ context: JourneyContext; events: { type: 'transfer.open' } }>(),
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'transfer',
    context: ({ input }) => ({ facts: input.facts, failure: null }),
    initial: 'ready',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      ready: {
        tags: ['form'],
        description: 'The transfer can be requested',
        on: { 'transfer.open': open, 'form.cancel': { target: 'cancelled' } },
      },
      opened: {
        tags: ['form'],
        description: 'The transfer page was opened in a new tab',
        on: { 'transfer.open': open, 'form.cancel': { target: 'cancelled' } },
      },
      cancelled: cancelledState,
    },
  });
