import { assign, setup } from 'xstate';
import { noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from './gate.ts';
import { failureOf, port } from './port.ts';

/** What is looked up: the page's choices by name, e.g. country and language. */
export type Question = Readonly<Record<string, string>>;

/**
 * A page that asks and shows: the two healths, translations, bank files, providers (behaviour, section 2). A change of the
 * question asks again; `before` is what the look before this one brought. The input is what the address says of the
 * question, if the page has one. Port: `look`.
 */
export function lookupChart<Result>(options: { id: string; question: Question }) {
  return setup({
    types: {
      context: {} as JourneyContext & { question: Question; result: Result | null; before: Result | null },
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- the input's type is taken from it
      input: {} as Question | undefined,
      events: {} as JourneyEvent | { type: 'question.change'; name: string; value: string },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: { look: port<Question, Result>('look') },
    actions: {
      change: assign(({ context, event }) =>
        event.type === 'question.change' ? { question: { ...context.question, [event.name]: event.value } } : {},
      ),
      forgetFailure: assign({ failure: null }),
    },
  }).createMachine({
    id: options.id,
    context: ({ input }) => ({ ...noFacts, question: { ...options.question, ...input }, result: null, before: null }),
    initial: 'looking',
    states: {
      looking: {
        tags: ['list', 'busy'],
        meta: { description: 'Asks the server' },
        entry: 'forgetFailure',
        on: { 'question.change': { target: 'looking', reenter: true, actions: 'change' } },
        invoke: {
          id: 'look',
          src: 'look',
          input: ({ context }) => context.question,
          onDone: {
            target: 'shown',
            actions: assign(({ context, event }) => ({ result: event.output, before: context.result })),
          },
          onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
        },
      },
      shown: {
        tags: ['list'],
        meta: { description: 'The answer is shown' },
        on: {
          'question.change': { target: 'looking', actions: 'change' },
          retry: { target: 'looking' },
          'form.cancel': { target: 'closed' },
        },
      },
      unavailable: {
        tags: ['list', 'failed'],
        meta: { description: 'There was no answer' },
        on: {
          'question.change': { target: 'looking', actions: 'change' },
          retry: { target: 'looking' },
          'form.cancel': { target: 'closed' },
        },
      },
      closed: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}
