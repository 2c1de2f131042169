import { assign, setup } from 'xstate';
import { resendLabel } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { actionTexts, effect } from '../lib/effect.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import type { JourneyEmitted, Meta, Tag } from '../lib/gate.ts';
import { pressLabel } from '../lib/describe.ts';

interface ResendEvent {
  type: 'payment.resend';
  key: string;
}

/** The payment being resent, '' for none, and why it failed the last time. */
interface ResendContext {
  key: string;
  failure: Problem | null;
}

const resend = { target: 'resending', actions: 'choosePayment', description: pressLabel(resendLabel) } as const;

/**
 * Resends a payment whose outcome is unknown, under its own idempotency key, so that it is paid once; one at a time.
 * Effect: `resend`. Emits `facts.changed` after each attempt, also after a failure.
 */
export const resendPaymentMachine = setup({
  types: {
    context: {} as ResendContext,
    events: {} as ResendEvent,
    emitted: {} as JourneyEmitted,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { resend: effect<{ key: string }, void>('writes', actionTexts('The batch is posted')) },
  actions: {
    choosePayment: assign(({ event }) => ({ key: event.key, failure: null })),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'resendPayment',
    context: { key: '', failure: null },
    initial: 'ready',
    states: {
      ready: {
        meta: { description: 'A payment can be resent' },
        on: { 'payment.resend': resend },
      },
      resending: {
        tags: ['busy'],
        meta: { description: 'The payment is resent' },
        exit: 'emitFactsChanged',
        invoke: {
          id: 'resend',
          src: 'resend',
          input: ({ context: { key } }) => ({ key }),
          onDone: 'ready',
          onError: failsTo('unsent'),
        },
      },
      unsent: {
        tags: ['failed'],
        meta: { description: 'The payment was not resent, or its response was lost again' },
        on: { 'payment.resend': resend },
      },
    },
  });
