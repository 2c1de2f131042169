import { assign, setup } from 'xstate';
import { own } from '#contract/member.ts';
import { failureCodes, type FailureCode } from '#contract/failureCodes.ts';
import type { Problem } from '#contract/problem.ts';
import { cancelledState, finalOutput, storesFacts, type JourneyContext, journeyTypes } from '../lib/gate.ts';
import { readOneTexts, effect } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';

/** The login form that the browser submits: action and fields of a GET form (behaviour, section 7). */
export interface Login {
  action: string;
  fields: Record<string, string>;
}

/** The outcome of a login, '' before the first one, and the interaction of its request to the service, '' for none. */
export interface LoginOutcome {
  outcome: string;
  interactionId: string;
}

/** Errors of the OpenID provider by which it, or the user, declines the login (OpenID Connect Core, 3.1.2.6). */
const declined = ['access_denied', 'login_required', 'consent_required', 'interaction_required'];

/** What a login without a token is called, by what the identity provider or the console's server said. */
const endings = {
  'login-refused': { title: 'The login was refused', detail: 'Nothing was stored.' },
  'login-expired': { title: 'The token had expired', detail: 'Its token was not stored.' },
  'login-unusable': { title: 'The login could not be used', detail: 'Nothing was stored.' },
} as const;

const isEnding = (outcome: string): outcome is keyof typeof endings => own(endings, outcome);

/** A failure of the console or of the service while it took the token, whose code is the outcome. */
const isFailureCode = (outcome: string): outcome is FailureCode => failureCodes.some((code) => code === outcome);

/** The failure of a login that has returned without a token. */
function refusal({ outcome, interactionId }: LoginOutcome): Problem {
  const problem = { type: 'about:blank', status: 0, ...(interactionId !== '' && { interactionId }) };
  if (isEnding(outcome)) return { ...problem, code: outcome, ...endings[outcome] };
  if (isFailureCode(outcome))
    return {
      ...problem,
      code: outcome,
      title: 'The token of the login was not stored',
      detail: 'Log in again.',
      ...(outcome === 'console-unreachable' && { outcome: 'unknown' as const }),
    };
  const code = declined.includes(outcome) ? 'login-refused' : 'login-unusable';
  const { title, detail } = endings[code];
  return {
    ...problem,
    code,
    title: outcome === 'access_denied' ? 'You declined' : title,
    detail: `The identity provider returned “${outcome}”. ${detail}`,
  };
}

type Context = JourneyContext & LoginOutcome & { login: Login | null };

/**
 * The network login: the browser navigates to the identity provider and returns with an outcome, which is '' before the
 * first login and 'ok' once the server has stored the token. Effect: `startLogin`.
 */
export const userTokenMachine = setup({
  types: journeyTypes<{ context: Context; events: { type: 'login.start' }; input: LoginOutcome }>(),
  actors: { startLogin: effect<void, Login>('writes', readOneTexts('The address')) },
  guards: {
    wasRefused: describedGuard(
      'the login was refused',
      ({ context }: { context: Context }) => context.outcome !== '' && context.outcome !== 'ok',
    ),
    hasToken: describedGuard('a token is stored', ({ context }: { context: Context }) => context.facts.userToken),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .createMachine({
    id: 'userToken',
    context: ({ input }) => ({ ...input, failure: null, login: null }),
    initial: 'deciding',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      deciding: {
        always: [
          {
            guard: 'wasRefused',
            target: 'refused',
            actions: assign({ failure: ({ context }) => refusal(context) }),
          },
          { guard: 'hasToken', target: 'loggedIn' },
          { target: 'loggedOut' },
        ],
      },
      loggedOut: {
        tags: ['form'],
        description: 'No user token is stored',
        on: {
          'login.start': { target: 'preparing', description: pressLabel('Log in') },
          'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
        },
      },
      loggedIn: {
        tags: ['form'],
        description: 'A user token is stored',
        on: {
          'login.start': { target: 'preparing' },
          'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
        },
      },
      refused: {
        tags: ['form', 'failed'],
        description: 'The login failed',
        on: {
          'login.start': { target: 'preparing' },
          retry: { guard: 'canHelp', target: 'preparing' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      preparing: {
        tags: ['form', 'busy'],
        description: 'Asks where to log in',
        entry: 'clearFailure',
        invoke: {
          id: 'startLogin',
          src: 'startLogin',
          onDone: { target: 'leaving', actions: assign({ login: ({ event }) => event.output }) },
          onError: failsTo('refused'),
        },
      },
      leaving: {
        tags: ['form'],
        description: 'The browser goes to the identity provider',
        on: { 'form.cancel': { target: 'cancelled' } },
      },
      cancelled: cancelledState,
    },
  });
