import { assign, setup } from 'xstate';
import { secretIsSet } from '#contract/secrets.ts';
import {
  checks,
  gates,
  lacks,
  loadFacts,
  noFacts,
  type JourneyContext,
  type JourneyEvent,
  type Meta,
  type Tag,
} from '../gate.ts';
import { failureOf, port } from '../port.ts';
import { accessToken } from './journeys.ts';

/** `token` is masked unless it was asked to be revealed; `expiresAt` is an ISO time. */
export interface AccessToken {
  token: string;
  expiresAt: string;
  companyId: string;
  organisationId: string;
}

/**
 * The company access token: obtained on opening, shown only when asked for and for a short while (behaviour, section 2;
 * behaviour, section 10.8). Ports: `loadFacts`, and `obtainToken`, with the token itself when `reveal` is set.
 */
export const accessTokenMachine = setup({
  types: {
    context: {} as JourneyContext & { token: AccessToken | null },
    events: {} as JourneyEvent | { type: 'token.reveal' } | { type: 'token.hide' },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    loadFacts,
    obtainToken: port<{ reveal: boolean }, AccessToken>('reads', {
      answers: 'The token arrives',
      fails: 'No token arrives',
    }),
  },
  guards: { lacks },
  delays: { revealTime: 20_000 },
  actions: {
    forgetFailure: assign({ failure: null }),
    mask: assign({ token: ({ context }) => context.token && { ...context.token, token: secretIsSet } }),
  },
}).createMachine({
  id: accessToken.id,
  context: { ...noFacts, token: null },
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Reads where the user stands' },
      entry: 'forgetFailure',
      invoke: {
        id: 'loadFacts',
        src: 'loadFacts',
        onDone: { target: 'checking', actions: assign({ facts: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
      },
    },
    checking: { always: checks(accessToken.requires, 'obtaining') },
    ...gates(accessToken.requires),
    obtaining: {
      tags: ['busy'],
      meta: { description: 'Obtains the company access token, masked' },
      invoke: {
        id: 'obtainToken',
        src: 'obtainToken',
        input: { reveal: false },
        onDone: { target: 'masked', actions: assign({ token: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'No access token could be obtained' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    masked: {
      tags: ['form'],
      meta: { description: 'The token is there and masked' },
      on: { 'token.reveal': { target: 'revealing' }, 'form.cancel': { target: 'cancelled' } },
    },
    revealing: {
      tags: ['form', 'busy'],
      meta: { description: 'Asks for the token itself' },
      invoke: {
        id: 'obtainToken',
        src: 'obtainToken',
        input: { reveal: true },
        onDone: { target: 'revealed', actions: assign({ token: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
      },
    },
    revealed: {
      tags: ['form'],
      meta: { description: 'The token is shown for a short while' },
      after: { revealTime: { target: 'masked', actions: 'mask' } },
      on: { 'token.hide': { target: 'masked', actions: 'mask' }, 'form.cancel': { target: 'cancelled' } },
    },
    cancelled: { type: 'final', meta: { description: 'The journey is left' } },
  },
});
