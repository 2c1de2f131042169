import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import {
  factsIn,
  cancelledState,
  finalOutput,
  type JourneyContext,
  type JourneyEvent,
  type JourneyInput,
  type JourneyOutput,
  type Meta,
  type Tag,
} from '../lib/gate.ts';
import { readOneTexts, failureOf, effect } from '../lib/effect.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';

/** The login form that the browser submits: action and fields of a GET form (behaviour, section 7). */
export interface Login {
  action: string;
  fields: Record<string, string>;
}

const refusal = (outcome: string): Problem => ({
  type: 'about:blank',
  title: 'Login failed',
  status: 0,
  detail:
    outcome === 'login-refused'
      ? 'The identity provider returned no token, or not for a login that was started here. Nothing was stored.'
      : `The identity provider returned "${outcome}". Nothing was stored.`,
  code: 'login-refused',
});

type Context = JourneyContext & { outcome: string; login: Login | null };

/**
 * The network login: the browser navigates to the identity provider and returns with an outcome, which is '' before the
 * first login and 'ok' once the server has stored the token. Effect: `startLogin`.
 */
export const userTokenMachine = setup({
  types: {
    context: {} as Context,
    events: {} as JourneyEvent | { type: 'login.start' },
    input: {} as JourneyInput<{ outcome: string }>,
    output: {} as JourneyOutput<never>,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { startLogin: effect<void, Login>('writes', readOneTexts('The address')) },
  guards: {
    wasRefused: describedGuard(
      'the login was refused',
      ({ context }: { context: Context }) => context.outcome !== '' && context.outcome !== 'ok',
    ),
    hasToken: describedGuard('a token is stored', ({ context }: { context: Context }) => context.facts.userToken),
  },
  actions: { assignFacts: assign(({ event }) => factsIn(event)), clearFailure: assign({ failure: null }) },
}).createMachine({
  id: 'userToken',
  context: ({ input }) => ({ facts: input.facts, failure: null, outcome: input.outcome, login: null }),
  initial: 'deciding',
  on: { 'facts.arrived': { actions: 'assignFacts' } },
  output: finalOutput,
  states: {
    deciding: {
      always: [
        {
          guard: 'wasRefused',
          target: 'refused',
          actions: assign({ failure: ({ context }) => refusal(context.outcome) }),
        },
        { guard: 'hasToken', target: 'loggedIn' },
        { target: 'loggedOut' },
      ],
    },
    loggedOut: {
      tags: ['form'],
      meta: { description: 'No user token is stored' },
      on: {
        'login.start': { target: 'preparing', description: pressLabel('Log in') },
        'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
      },
    },
    loggedIn: {
      tags: ['form'],
      meta: { description: 'A user token is stored' },
      on: {
        'login.start': { target: 'preparing' },
        'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
      },
    },
    refused: {
      tags: ['form', 'failed'],
      meta: { description: 'The login failed' },
      on: {
        'login.start': { target: 'preparing' },
        retry: { target: 'preparing' },
        'form.cancel': { target: 'cancelled' },
      },
    },
    preparing: {
      tags: ['form', 'busy'],
      meta: { description: 'Asks where to log in' },
      entry: 'clearFailure',
      invoke: {
        id: 'startLogin',
        src: 'startLogin',
        onDone: { target: 'leaving', actions: assign({ login: ({ event }) => event.output }) },
        onError: { target: 'refused', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
      },
    },
    leaving: {
      tags: ['form'],
      meta: { description: 'The browser goes to the identity provider' },
      on: { 'form.cancel': { target: 'cancelled' } },
    },
    cancelled: cancelledState,
  },
});
