import { setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { pressLabel } from './lib/describe.ts';
import { actionTexts, effect } from './lib/effect.ts';
import type { Tag } from './lib/gate.ts';
import { failsTo, journeyActions } from './lib/journeyActions.ts';

const signOut = { 'signOut.press': { target: 'signingOut', description: pressLabel('Sign out') } } as const;

/** Ends the user's session. Effect: `signOut`, which also leaves the page. */
export const signingOutMachine = setup({
  types: {
    context: {} as { failure: Problem | null },
    events: {} as { type: 'signOut.press' },
    tags: {} as Tag,
    meta: {} as { description: string },
  },
  actors: { signOut: effect<void, void>('writes', actionTexts('The session has ended')) },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'signingOut',
    context: { failure: null },
    initial: 'signedIn',
    states: {
      signedIn: { meta: { description: 'The user is signed in' }, on: signOut },
      signingOut: {
        tags: ['busy'],
        meta: { description: 'The session is being ended' },
        entry: 'clearFailure',
        invoke: { id: 'signOut', src: 'signOut', onDone: { target: 'left' }, onError: failsTo('refused') },
      },
      left: { type: 'final', tags: ['done'], meta: { description: 'The session has ended, and the page is left' } },
      refused: {
        tags: ['failed'],
        meta: { description: 'The session was not ended, or the outcome is unknown' },
        on: signOut,
      },
    },
  });
