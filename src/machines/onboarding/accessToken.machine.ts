import { assign, setup } from 'xstate';
import { secretIsSet } from '#contract/secrets.ts';
import {
  blockedState,
  isBlocked,
  cancelledState,
  checkingState,
  finalOutput,
  storesFacts,
  type JourneyContext,
  journeyTypes,
} from '../lib/gate.ts';
import { effect } from '../lib/effect.ts';
import { assignsFailure, failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { accessToken } from './journeys.ts';

/** `token` is masked unless it was requested unmasked; the times are ISO ones, `issuedAt` is '' if it does not say. */
export interface AccessToken {
  token: string;
  issuedAt: string;
  expiresAt: string;
  companyId: string;
  organisationId: string;
}

const isSandbox = ({ context }: { context: JourneyContext }): boolean => context.facts.environment === 'sandbox';

/**
 * The company access token, obtained on opening. The sandbox's is shown at once, a live service's only on request and for a
 * short time (behaviour, sections 2 and 10.8). Effect: `obtainToken`, which returns the unmasked token if `reveal` is set.
 */
export const accessTokenMachine = setup({
  types: journeyTypes<{
    context: JourneyContext & { token: AccessToken | null };
    events: { type: 'token.reveal' } | { type: 'token.hide' };
  }>(),
  actors: {
    obtainToken: effect<{ reveal: boolean }, AccessToken>('reads', {
      answers: 'The token arrives',
      fails: 'No token arrives',
    }),
  },
  guards: { isBlocked: isBlocked(accessToken.requires), isSandbox: describedGuard('it is the sandbox', isSandbox) },
  delays: { revealTime: 20_000 },
  actions: {
    maskToken: assign({ token: ({ context }) => context.token && { ...context.token, token: secretIsSet } }),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .createMachine({
    id: accessToken.id,
    context: ({ input }) => ({ facts: input.facts, failure: null, token: null }),
    initial: 'checking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      checking: checkingState('obtaining'),
      blocked: blockedState(accessToken.requires),
      obtaining: {
        tags: ['busy'],
        description: 'Obtains the company access token, masked on a live service',
        entry: 'clearFailure',
        invoke: {
          id: 'obtainToken',
          src: 'obtainToken',
          input: ({ context }) => ({ reveal: isSandbox({ context }) }),
          onDone: [
            {
              guard: 'isSandbox',
              target: 'shown',
              actions: [assign({ token: ({ event }) => event.output }), 'emitFactsChanged'],
            },
            { target: 'masked', actions: [assign({ token: ({ event }) => event.output }), 'emitFactsChanged'] },
          ],
          onError: { target: 'unavailable', actions: [assignsFailure, 'emitFactsChanged'] },
        },
      },
      unavailable: {
        tags: ['failed'],
        description: 'No access token could be obtained',
        on: { retry: { guard: 'canHelp', target: 'checking' }, 'form.cancel': { target: 'cancelled' } },
      },
      shown: {
        tags: ['form'],
        description: 'The token of the sandbox is shown',
        on: { 'form.cancel': { target: 'cancelled', description: pressLabel('Close') } },
      },
      masked: {
        tags: ['form'],
        description: 'The token is there and masked',
        on: {
          'token.reveal': { target: 'revealing', description: pressLabel('Reveal') },
          'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
        },
      },
      revealing: {
        tags: ['form', 'busy'],
        description: 'Asks for the token itself',
        invoke: {
          id: 'obtainToken',
          src: 'obtainToken',
          input: { reveal: true },
          onDone: { target: 'revealed', actions: assign({ token: ({ event }) => event.output }) },
          onError: failsTo('unavailable'),
        },
      },
      revealed: {
        tags: ['form'],
        description: 'The token is shown for a short while',
        after: { revealTime: { target: 'masked', actions: 'maskToken', description: '20 seconds pass' } },
        on: {
          'token.hide': { target: 'masked', actions: 'maskToken', description: pressLabel('Hide') },
          'form.cancel': { target: 'cancelled' },
        },
      },
      cancelled: cancelledState,
    },
  });
