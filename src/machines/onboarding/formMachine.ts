import { assign, setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Form, Values } from '#rules/field.ts';
import { latestIn } from '#rules/latest.ts';
import {
  emptyForm,
  editingState,
  fillText,
  invalidState,
  refusedState,
  mayFill,
  openForm,
  isValid,
  type FillEvent,
  type FormEvent,
  type FormState,
} from '../lib/form.ts';
import {
  blockedState,
  isBlocked,
  cancelledState,
  checkingState,
  succeededState,
  finalOutput,
  storesFacts,
  type JourneyContext,
  type JourneyInput,
  journeyTypes,
} from '../lib/gate.ts';
import { drafted, type DraftInput, type DraftState } from '../lib/draft.ts';
import { draftActions } from '../lib/draftActions.ts';
import { effect, actionTexts } from '../lib/effect.ts';
import { formActions } from '../lib/formActions.ts';
import { assignsFailure, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { requirement, type RequirementId } from '../requirements.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';

interface FormOptions {
  id: string;
  form: Form;
  /** The label of the submit button. */
  submit: string;
  /** If this requirement is already met, the chart asks before another one is created. */
  another: 'organisation' | 'company' | 'account' | 'dataset';
}

/** What the user knows of others, as the call is told. */
export interface Known {
  /** The latest record as the form was opened; '' for none. */
  beside: string;
  /** Earlier requests that may have created one, as the form was refused because of them; '' for none. */
  despite: string;
}

/** What a form sends: its values, and what its user knows of others. */
interface Submitted extends Known {
  values: Values;
}

/** The part of a context that knows what else there is. */
export interface Beside extends Known {
  /** One that was created meanwhile, about which the user is asked; '' for none. */
  meanwhile: string;
}

export const besideNothing: Beside = { beside: '', despite: '', meanwhile: '' };

/** What a form that was refused has shown to its user, who may send it again. */
export const despiteIn = ({ failure }: JourneyContext): Pick<Known, 'despite'> => ({ despite: failure?.despite ?? '' });

/** The types, effect, guards and actions of a form, and its states behind the gates. */
function formParts<Result>(options: FormOptions) {
  const latest = latestIn[options.another];
  const chart = setup({
    types: journeyTypes<{
      context: JourneyContext & FormState & DraftState & Beside & { result: Result | null };
      events: FormEvent | FillEvent | { type: 'another.create' };
      input: DraftInput;
      result: Result;
    }>(),
    actors: { submit: effect<Submitted, Result>('writes', actionTexts('It is created')) },
    guards: {
      isThere: describedGuard('one exists already', ({ context }: { context: JourneyContext }) =>
        requirement(options.another).isMet(context.facts),
      ),
      /** In another tab, or by a program: the form would create a second one unasked. */
      isMadeElsewhere: describedGuard(
        'a different record was created meanwhile',
        ({ context }: { context: Beside }, { facts }: { facts: Facts }) =>
          requirement(options.another).isMet(facts) && latest(facts) !== context.beside,
      ),
      isValid,
      mayFill,
    },
    actions: {
      openForm: assign(() => openForm(options.form)),
      assignBeside: assign(({ context }) => ({ beside: latest(context.facts), meanwhile: '' })),
      assignDespite: assign(({ context }) => despiteIn(context)),
      assignMeanwhile: assign((_, { facts }: { facts: Facts }) => ({ meanwhile: latest(facts) })),
    },
  })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ actions: formActions })
    .extend({ actions: draftActions });
  return {
    chart,
    context: ({ input }: { input: JourneyInput<DraftInput> }) => ({
      facts: input.facts,
      failure: null,
      ...emptyForm,
      ...drafted(input),
      result: null,
      ...besideNothing,
    }),
    looking: chart.createStateConfig({
      always: [
        // Its fields name the values of the one that exists.
        { guard: 'isThere', target: 'another', actions: 'openForm' },
        { target: 'form', actions: ['openForm', 'assignBeside', 'restoreDraft'] },
      ],
    }),
    another: chart.createStateConfig({
      tags: ['form', 'existing'],
      description: 'One exists already: asks before creating a second one',
      on: {
        'another.create': {
          target: 'form',
          actions: ['openForm', 'assignBeside', 'restoreDraft'],
          description: pressLabel('Create another'),
        },
        'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
      },
    }),
    form: chart.createStateConfig({
      tags: ['form'],
      description: 'The form is filled in and sent',
      initial: 'editing',
      on: {
        'facts.arrived': [
          {
            guard: { type: 'isMadeElsewhere', params: ({ event }) => event },
            target: 'another',
            // As if opened now: without the errors of the form, which is gone.
            actions: [
              storesFacts.actions,
              { type: 'assignMeanwhile', params: ({ event }: { event: { facts: Facts } }) => event },
              'openForm',
            ],
          },
          storesFacts,
        ],
        'form.change': { actions: ['changeField', 'keepField'] },
        'form.fill': { guard: 'mayFill', actions: ['fillForm', 'keepExamples'], description: fillText },
        'form.submit': [
          { guard: 'isValid', target: '.submitting', description: pressLabel(options.submit) },
          { target: '.invalid', actions: 'showErrors' },
        ],
        'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
      },
      states: {
        editing: editingState,
        invalid: invalidState,
        submitting: {
          tags: ['busy'],
          description: 'The form is being sent',
          entry: 'clearErrors',
          on: {
            'facts.arrived': storesFacts,
            'form.change': {},
            'form.fill': {},
            'form.submit': {},
            'form.cancel': {},
          },
          invoke: {
            id: 'submit',
            src: 'submit',
            input: ({ context: { values, beside, despite } }) => ({ values, beside, despite }),
            onDone: {
              target: `#${options.id}.succeeded`,
              actions: assign({ result: ({ event }) => event.output }),
            },
            // A record that the form depends on may have been deleted, or one like it created.
            onError: {
              target: 'refused',
              actions: [assignsFailure, 'assignDespite', 'emitFactsChanged'],
            },
          },
        },
        refused: refusedState,
      },
    }),
    succeeded: succeededState('The service created what the form asked for'),
  };
}

/**
 * The journey of one form: pass the gates, edit, submit. Company, account and data set specialise it (behaviour, sections
 * 2 and 5). `Result` is what the service created.
 *
 * Effect: `submit` sends the values; it rejects with a Problem.
 */
export function formMachine<Result>(options: FormOptions & { requires: readonly RequirementId[] }) {
  const { chart, context, looking, another, form, succeeded } = formParts<Result>(options);
  return chart.extend({ guards: { isBlocked: isBlocked(options.requires) } }).createMachine({
    id: options.id,
    context,
    initial: 'checking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      checking: checkingState('looking'),
      blocked: blockedState(options.requires),
      looking,
      another,
      form,
      succeeded,
      cancelled: cancelledState,
    },
  });
}

/** The same for what requires nothing, such as an organisation: it has no gates. */
export function ungatedFormMachine<Result>(options: FormOptions) {
  const { chart, context, looking, another, form, succeeded } = formParts<Result>(options);
  return chart.createMachine({
    id: options.id,
    context,
    initial: 'looking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: { looking, another, form, succeeded, cancelled: cancelledState },
  });
}
