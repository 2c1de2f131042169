import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { ProgramTokenShown } from '#contract/programShapes.ts';
import type { Answer } from '#contract/shapes.ts';
import { entered } from '#contract/text.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { programErrors } from '#rules/programForm.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import type { Tag } from '../lib/state.ts';
import { readTexts, effect, actionTexts } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard, type Reported } from '../lib/describe.ts';

type Programs = Answer<'getPrograms'>['data'];
type Made = Answer<'makeProgramToken'>['data'];

type ProgramsEvent =
  | { type: 'name.change'; name: string }
  | { type: 'token.make' }
  | { type: 'token.hide' }
  | { type: 'token.ask'; tokenId: string }
  | { type: 'confirm' }
  | { type: 'dismiss' }
  | { type: 'reading.stale' }
  | { type: 'retry' };

interface ProgramsContext {
  tokens: readonly ProgramTokenShown[];
  /** Whether calls appear in the timeline. */
  recorded: boolean;
  name: string;
  errors: readonly FieldError[];
  /** The latest token that the user has not confirmed to have; it is shown. */
  made: Made | null;
  /** The id of the token that the user has copied. */
  copied: string;
  /** The token whose revocation awaits confirmation; null if there is none. */
  asked: ProgramTokenShown | null;
  failure: Problem | null;
}

interface Args {
  context: ProgramsContext;
  event: ProgramsEvent;
}

const errorsOf = ({ name, tokens }: Pick<ProgramsContext, 'name' | 'tokens'>) => programErrors(name, tokens);
/** The latest token that is still contained in the list. */
function unconfirmedIn({ tokens }: Programs): Made | undefined {
  const made = tokens.find(({ token }) => token !== undefined);
  return made && { token: made.token ?? '', made };
}

const named = ({ context: { tokens }, event }: Args) =>
  event.type === 'token.ask' ? (tokens.find(({ tokenId }) => tokenId === event.tokenId) ?? null) : null;

const assignsPrograms = {
  type: 'assignPrograms',
  params: ({ event }: { event: { output: Programs } }) => ({ data: event.output }),
} as const;

/**
 * The tokens with which a user's programs call through the console. A new token is shown until the user has copied it,
 * also if the answer that made it was lost; revoking one requires confirmation. Effects: `readPrograms`, `make`, which
 * takes the name and returns the token, `confirm` and `revoke`, which take a token's id.
 */
export const programsMachine = setup({
  types: {
    context: {} as ProgramsContext,
    events: {} as ProgramsEvent,
    tags: {} as Tag,
    meta: {} as Reported,
  },
  actors: {
    readPrograms: effect<void, Programs>('reads', readTexts('The tokens')),
    make: effect<string, Made>('writes', actionTexts('The token is created')),
    confirm: effect<string, void>('writes', actionTexts('It is not shown again')),
    revoke: effect<string, void>('writes', actionTexts('It is revoked')),
  },
  delays: { doubleClick },
  guards: {
    isValid: describedGuard('it has a name, and there is room', ({ context }: Args) => errorsOf(context).length === 0),
    isShown: describedGuard('one is shown', ({ context: { made } }: Args) => made !== null),
    isListed: describedGuard('it is in the list', (args: Args) => named(args) !== null),
  },
  actions: {
    changeField: assign(({ context, event }) => {
      if (event.type !== 'name.change') return {};
      const { name } = event;
      // A field in error is validated again immediately (behaviour, section 10.3).
      return { name, errors: context.errors.length > 0 ? errorsOf({ name, tokens: context.tokens }) : [] };
    }),
    showErrors: assign(({ context }) => ({ errors: errorsOf(context), failure: null })),
    choose: assign((args) => ({ asked: named(args) })),
    hide: assign(({ context: { made } }) => ({ made: null, copied: made?.made.tokenId ?? '' })),
    clearErrors: assign({ errors: [], failure: null }),
    assignPrograms: assign(({ context }, { data }: { data: Programs }) => ({
      tokens: data.tokens,
      recorded: data.recorded,
      made: unconfirmedIn(data) ?? context.made,
    })),
    show: assign((_, { made }: { made: Made }) => ({ made, name: '' })),
    hideRevoked: assign(({ context: { made, asked } }) =>
      made?.made.tokenId === asked?.tokenId ? { made: null, asked: null } : { asked: null },
    ),
  },
})
  .extend({ actions: journeyActions, guards: journeyGuards })
  .createMachine({
    id: 'programs',
    meta: { reports: ['reading.stale'] },
    context: { tokens: [], recorded: true, name: '', errors: [], made: null, copied: '', asked: null, failure: null },
    initial: 'reading',
    states: {
      reading: {
        tags: ['busy'],
        description: 'Reads the tokens',
        entry: 'clearErrors',
        invoke: {
          id: 'readPrograms',
          src: 'readPrograms',
          onDone: { target: 'shown', actions: assignsPrograms },
          onError: failsTo('unread'),
        },
      },
      unread: {
        tags: ['failed'],
        description: 'The tokens could not be read',
        on: {
          retry: { guard: 'canHelp', target: 'reading', description: pressLabel('Try again') },
          'reading.stale': { target: 'reading' },
        },
      },
      shown: {
        tags: ['list'],
        description: 'The tokens as last read are shown',
        initial: 'listing',
        on: {
          'name.change': { actions: 'changeField', description: 'Fill in a field' },
          'token.make': [
            { guard: 'isValid', target: 'making', description: pressLabel('Create token') },
            { actions: 'showErrors' },
          ],
          'token.hide': {
            guard: 'isShown',
            target: 'confirming',
            actions: 'hide',
            description: pressLabel('I have copied it'),
          },
          'token.ask': { guard: 'isListed', target: 'asking', actions: 'choose', description: pressLabel('Revoke …') },
          'reading.stale': { target: '.refreshing', description: 'The page becomes visible' },
        },
        states: {
          listing: { description: 'The tokens are the latest' },
          refreshing: {
            description: 'Reads the tokens again; the previous ones stay listed',
            invoke: {
              id: 'readPrograms',
              src: 'readPrograms',
              onDone: { target: 'listing', actions: assignsPrograms },
              onError: failsTo('refused'),
            },
          },
          made: {
            description: 'A token was created; the second press of a double click creates no other',
            initial: 'refreshing',
            on: { 'token.make': {}, 'reading.stale': { target: '.refreshing' } },
            states: {
              refreshing: {
                description: 'Reads the tokens again with the new one',
                invoke: {
                  id: 'readPrograms',
                  src: 'readPrograms',
                  onDone: { target: 'turned', actions: assignsPrograms },
                  onError: failsTo('#programs.shown.refused'),
                },
              },
              turned: {
                description: 'Half a second for a double click',
                after: { doubleClick: { target: '#programs.shown.listing', description: doubleClickPasses } },
              },
            },
          },
          refused: {
            tags: ['failed'],
            description: 'The action failed, or its outcome is unknown; the list is unchanged',
            on: {
              // The failure makes room for what is wrong with the name.
              'token.make': [
                { guard: 'isValid', target: '#programs.making' },
                { target: 'listing', actions: 'showErrors' },
              ],
              retry: { target: 'refreshing', description: pressLabel('Try again') },
            },
          },
        },
      },
      making: {
        tags: ['list', 'busy'],
        description: 'Creates a token',
        entry: 'clearErrors',
        invoke: {
          id: 'make',
          src: 'make',
          input: ({ context }) => entered(context.name),
          onDone: { target: 'shown.made', actions: { type: 'show', params: ({ event }) => ({ made: event.output }) } },
          onError: failsTo('shown.refused'),
        },
      },
      confirming: {
        tags: ['list', 'busy'],
        description: 'The user has the token, which is not shown again',
        entry: 'clearErrors',
        invoke: {
          id: 'confirm',
          src: 'confirm',
          input: ({ context }) => context.copied,
          onDone: 'shown.refreshing',
          onError: failsTo('shown.refused'),
        },
      },
      asking: {
        tags: ['list'],
        description: 'Asks before a token is revoked',
        on: {
          confirm: { target: 'revoking', description: pressLabel('Revoke the token') },
          dismiss: { target: 'shown', description: pressLabel('Cancel') },
        },
      },
      revoking: {
        tags: ['list', 'busy'],
        description: 'A token is revoked',
        entry: 'clearErrors',
        invoke: {
          id: 'revoke',
          src: 'revoke',
          input: ({ context }) => context.asked?.tokenId ?? '',
          onDone: { target: 'shown.refreshing', actions: 'hideRevoked' },
          onError: failsTo('shown.refused'),
        },
      },
    },
  });
