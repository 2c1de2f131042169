import { assign, setup } from 'xstate';
import type { FileFormat, Health, LocalInstrument, Provider } from '#contract/lookup.ts';
import { cancelledState, finalOutput, storesFacts, type JourneyContext, journeyTypes } from '../lib/gate.ts';
import { effect } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel } from '../lib/describe.ts';
import { bankFiles, consumerHealth, messagingHealth, providers, translations } from './journeys.ts';

/** The parameters of a lookup: the page's choices by name, for example country and language. */
export type Question = Readonly<Record<string, string>>;

/**
 * A page that requests and shows data: the two health pages, translations, bank files, providers (behaviour, section
 * 2). A changed question requests it again; null for a page that asks nothing. `before` is the result of the previous
 * lookup. The input may contain the question from the address. Effect: `look`.
 */
function lookupChart<Result>(options: { id: string; question: Question | null }) {
  /** A page that asks nothing ignores it. */
  const asksAgain = options.question
    ? ({ target: 'looking', reenter: true, actions: 'changeQuestion', description: 'Change a choice' } as const)
    : {};
  return setup({
    types: journeyTypes<{
      context: JourneyContext & { question: Question; result: Result | null; before: Result | null };
      events: { type: 'question.change'; name: string; value: string };
      input: { question?: Question };
    }>(),
    actors: {
      look: effect<Question, Result>('reads', { answers: 'The response arrives', fails: 'No response arrives' }),
    },
    actions: {
      changeQuestion: assign(({ context, event }) =>
        event.type === 'question.change' ? { question: { ...context.question, [event.name]: event.value } } : {},
      ),
    },
  })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .createMachine({
      id: options.id,
      context: ({ input }) => ({
        facts: input.facts,
        failure: null,
        question: { ...options.question, ...input.question },
        result: null,
        before: null,
      }),
      initial: 'looking',
      on: { 'facts.arrived': storesFacts },
      output: finalOutput,
      states: {
        looking: {
          tags: ['list', 'busy'],
          description: 'Asks the server',
          entry: 'clearFailure',
          on: { 'question.change': asksAgain },
          invoke: {
            id: 'look',
            src: 'look',
            input: ({ context }) => context.question,
            onDone: {
              target: 'shown',
              actions: assign(({ context, event }) => ({ result: event.output, before: context.result })),
            },
            onError: failsTo('unavailable'),
          },
        },
        shown: {
          tags: ['list'],
          description: 'The response is shown',
          on: {
            'question.change': asksAgain,
            retry: { target: 'looking', description: pressLabel('Refresh') },
            'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
          },
        },
        unavailable: {
          tags: ['list', 'failed'],
          description: 'No response arrived',
          on: {
            'question.change': asksAgain,
            retry: { guard: 'canHelp', target: 'looking', description: pressLabel('Try again') },
            'form.cancel': { target: 'cancelled' },
          },
        },
        cancelled: cancelledState,
      },
    });
}

/** A row of the health table (behaviour, section 2). */
export type HealthRow = Health & {
  /** When it was read (ISO time). */
  readAt: string;
};

/** The changes between two lookups in a sentence; '' after the first one. */
export function healthNews(before: HealthRow | null, now: HealthRow | null): string {
  if (!before || !now) return '';
  const changed = (['status', 'version', 'branch', 'name'] as const).filter((name) => before[name] !== now[name]);
  if (changed.length === 0) return 'Nothing has changed since the last check.';
  return `Changed since the last check: ${changed.map((name) => `${name} was ${before[name]}`).join(', ')}.`;
}

/** Rules whose texts can be looked up, and the text that was found (behaviour, section 2: Translations). */
export interface Translation {
  entities: {
    id: string;
    type: 'FileFormat' | 'Provider';
    name: string;
    /** Only rules that have texts; `fields` are the names of their texts. */
    rules: { id: string; label: string; fields: string[] }[];
  }[];
  /** The language of the text; '' if it is unknown. */
  language: string;
  /** '' until an entity, a rule and a field are chosen. */
  text: string;
}

export const consumerHealthMachine = lookupChart<HealthRow>({ id: consumerHealth.id, question: null });
export const messagingHealthMachine = lookupChart<HealthRow>({ id: messagingHealth.id, question: null });

/** The definitions for a country and language: those of the question, else those of the settings. */
export interface Definitions<Definition> {
  country: string;
  language: string;
  found: Definition[];
  /** What the service sent (contract, parseAsWritten). */
  raw: unknown;
  /** The definitions to compare with; null if no comparison was requested. */
  other: { country: string; language: string; found: Definition[] } | null;
  /** Local instruments, whose rules are added to those of the compared providers. */
  instruments?: LocalInstrument[];
}

export const bankFilesMachine = lookupChart<Definitions<FileFormat>>({ id: bankFiles.id, question: {} });
export const providersMachine = lookupChart<Definitions<Provider>>({ id: providers.id, question: {} });
export const translationsMachine = lookupChart<Translation>({
  id: translations.id,
  question: { entityType: 'Provider', entityId: '', ruleId: '', field: 'uiLabel' },
});
