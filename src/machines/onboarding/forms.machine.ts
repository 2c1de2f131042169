import { ownForm } from '#rules/forms.ts';
import { company, account, dataset, organisation } from './journeys.ts';
import { assign, setup } from 'xstate';
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
import { effect, actionTexts } from '../lib/effect.ts';
import { formActions } from '../lib/formActions.ts';
import { assignsFailure, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import type { RequirementId } from '../requirements.ts';
import { pressLabel } from '../lib/describe.ts';
import { despiteIn, type Beside } from '../lib/beside.ts';

interface FormOptions {
  id: string;
  form: Form;
  /** The label of the submit button. */
  submit: string;
  /** What it creates. */
  creates: 'organisation' | 'company' | 'account' | 'dataset';
}

/** What a form sends: its values, and what its user knows of others. */
interface Submitted extends Beside {
  values: Values;
}

/** The types, effect, guards and actions of a form, and its states behind the gates. */
function formParts<Result>(options: FormOptions) {
  const chart = setup({
    types: journeyTypes<{
      context: JourneyContext & FormState & DraftState & Beside & { result: Result | null };
      events: FormEvent | FillEvent;
      input: DraftInput;
      result: Result;
    }>(),
    actors: { submit: effect<Submitted, Result>('writes', actionTexts('It is created')) },
    guards: {
      isValid,
      mayFill,
    },
    actions: {
      openForm: assign(() => openForm(options.form)),
      assignDespite: assign(({ context }) => despiteIn(context)),
    },
  })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ actions: formActions });
  return {
    chart,
    context: ({ input }: { input: JourneyInput<DraftInput> }) => ({
      facts: input.facts,
      failure: null,
      ...emptyForm,
      ...drafted(input),
      result: null,
      beside: latestIn[options.creates](input.facts),
      despite: '',
    }),
    form: chart.createStateConfig({
      tags: ['form'],
      description: 'The form is filled in and sent',
      initial: 'editing',
      entry: ['openForm', 'restoreDraft'],
      on: {
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
function formMachine<Result>(options: FormOptions & { requires: readonly RequirementId[] }) {
  const { chart, context, form, succeeded } = formParts<Result>(options);
  return chart.extend({ guards: { isBlocked: isBlocked(options.requires) } }).createMachine({
    id: options.id,
    context,
    initial: 'checking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      checking: checkingState('form'),
      blocked: blockedState(options.requires),
      form,
      succeeded,
      cancelled: cancelledState,
    },
  });
}

/** The same for what requires nothing, such as an organisation: it has no gates. */
function ungatedFormMachine<Result>(options: FormOptions) {
  const { chart, context, form, succeeded } = formParts<Result>(options);
  return chart.createMachine({
    id: options.id,
    context,
    initial: 'form',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: { form, succeeded, cancelled: cancelledState },
  });
}

export const organisationMachine = ungatedFormMachine<{ organisationId: string }>({
  id: organisation.id,
  creates: 'organisation',
  form: ownForm(organisation.id),
  submit: 'Create organisation',
});

export const companyMachine = formMachine<{ companyId: string }>({
  id: company.id,
  requires: company.requires,
  creates: 'company',
  form: ownForm(company.id),
  submit: 'Create company',
});

export const accountMachine = formMachine<{ accountId: string }>({
  id: account.id,
  requires: account.requires,
  creates: 'account',
  form: ownForm(account.id),
  submit: 'Create account',
});

export const datasetMachine = formMachine<{ dataSetId: string }>({
  id: dataset.id,
  requires: dataset.requires,
  creates: 'dataset',
  form: ownForm(dataset.id),
  submit: 'Create data set',
});
