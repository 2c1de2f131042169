import { assign, emit, enqueueActions, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { notAgain, onlyReads, type Repeat } from '#rules/replay.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { actionTexts, effect } from '../lib/effect.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import type { Meta, Tag } from '../lib/gate.ts';

type SendAgainEvent = { type: 'call.repeat'; repeat: Repeat } | { type: 'confirm' } | { type: 'dismiss' };

interface SendAgainContext {
  repeat: Repeat | null;
  /** Why the call was not sent the last time. */
  failure: Problem | null;
}

const repeat = [
  { guard: 'isNew', target: 'asking', actions: 'assignRepeat', description: pressLabel('Send again') },
  { guard: 'mayRepeat', target: 'sending', actions: 'assignRepeat' },
] as const;

/**
 * Sends a call of the timeline again; under a new key after a question, because the sandbox then executes it again.
 * Effect: `repeat`, which returns the id of the new call's entry. Emits `sent` with that id, and `facts.changed` when the
 * facts may have changed, also after a failure.
 */
export const sendAgainMachine = setup({
  types: {
    context: {} as SendAgainContext,
    events: {} as SendAgainEvent,
    emitted: {} as { type: 'sent'; id: string } | { type: 'facts.changed' },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { repeat: effect<Repeat | null, string>('writes', actionTexts('The call is sent')) },
  guards: {
    isNew: describedGuard(
      'the key is a new one',
      ({ event }: { event: SendAgainEvent }) =>
        event.type === 'call.repeat' && event.repeat.key === 'new' && notAgain(event.repeat) === '',
    ),
    mayRepeat: describedGuard(
      'it may be sent again',
      ({ event }: { event: SendAgainEvent }) => event.type === 'call.repeat' && notAgain(event.repeat) === '',
    ),
  },
  actions: {
    assignRepeat: assign(({ event }) => (event.type === 'call.repeat' ? { repeat: event.repeat, failure: null } : {})),
    emitSent: emit((_, { id }: { id: string }) => ({ type: 'sent' as const, id })),
    // The shared action would read the facts after each read as well.
    emitFactsAfterWrite: enqueueActions(({ context, enqueue }) => {
      if (context.repeat && !onlyReads(context.repeat.call)) enqueue.emit({ type: 'facts.changed' });
    }),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'sendAgain',
    context: { repeat: null, failure: null },
    initial: 'ready',
    states: {
      ready: {
        meta: { description: 'The call can be sent again' },
        on: { 'call.repeat': repeat },
      },
      asking: {
        meta: { description: 'Asks whether to send a new request' },
        on: {
          confirm: { target: 'sending', description: pressLabel('Send with a new key') },
          dismiss: { target: 'ready', description: pressLabel('Cancel') },
        },
      },
      sending: {
        tags: ['busy'],
        meta: { description: 'The call is sent' },
        exit: 'emitFactsAfterWrite',
        invoke: {
          id: 'repeat',
          src: 'repeat',
          input: ({ context }) => context.repeat,
          onDone: { target: 'ready', actions: { type: 'emitSent', params: ({ event }) => ({ id: event.output }) } },
          onError: failsTo('refused'),
        },
      },
      refused: {
        tags: ['failed'],
        meta: { description: 'The call was not sent, or no response arrived' },
        on: { 'call.repeat': repeat },
      },
    },
  });
