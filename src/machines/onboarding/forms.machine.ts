import { assign, setup } from 'xstate';
import type { Values } from '#rules/field.ts';
import { ownForm } from '#rules/forms.ts';
import { besideIn, despiteIn, type Beside } from '../lib/beside.ts';
import { pressLabel } from '../lib/describe.ts';
import { actionTexts, effect } from '../lib/effect.ts';
import {
  fillsForm,
  formActions,
  formContext,
  formGuards,
  formStates,
  formTypes,
  openForm,
  type FormInput,
} from '../lib/form.ts';
import {
  blockedState,
  cancelledState,
  checkingState,
  finalOutput,
  isBlocked,
  storesFacts,
  succeededState,
} from '../lib/gate.ts';
import { assignsFailure, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { account, company, dataset, organisation } from './journeys.ts';

type Gated = typeof company | typeof account | typeof dataset;

/** What a form sends: its values, and what its user knows of others. */
interface Submitted extends Beside {
  values: Values;
}

/** The types, effect, guards and actions of a form, and its states behind the gates. `submit`: the label of its button. */
function formParts<Result>({ id }: Gated | typeof organisation, submit: string) {
  const chart = setup({
    types: formTypes<{ context: Beside & { result: Result | null }; result: Result }>(),
    actors: { submit: effect<Submitted, Result>('writes', actionTexts('It is created')) },
    actions: {
      openForm: assign(() => openForm(ownForm(id))),
      assignDespite: assign(({ context }) => despiteIn(context)),
    },
  })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ guards: formGuards, actions: formActions });
  return {
    chart,
    context: ({ input }: { input: FormInput }) => ({
      ...formContext(input),
      ...besideIn(id, input.facts),
      result: null,
    }),
    form: chart.createStateConfig({
      tags: ['form'],
      description: 'The form is filled in and sent',
      initial: 'editing',
      entry: ['openForm', 'restoreDraft'],
      on: {
        'form.change': { actions: ['changeField', 'keepField'] },
        'form.fill': fillsForm,
        'form.submit': [
          { guard: 'isValid', target: '.submitting', description: pressLabel(submit) },
          { target: '.invalid', actions: 'showErrors' },
        ],
        'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
      },
      states: {
        editing: formStates.editing,
        invalid: formStates.invalid,
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
              target: `#${id}.succeeded`,
              actions: assign({ result: ({ event }) => event.output }),
            },
            // A record that the form depends on may have been deleted, or one like it created.
            onError: {
              target: 'refused',
              actions: [assignsFailure, 'assignDespite', 'emitFactsChanged'],
            },
          },
        },
        refused: formStates.refused,
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
function formMachine<Result>(journey: Gated, submit: string) {
  const { chart, context, form, succeeded } = formParts<Result>(journey, submit);
  const { id, requires } = journey;
  return chart.extend({ guards: { isBlocked: isBlocked(requires) } }).createMachine({
    id,
    context,
    initial: 'checking',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      checking: checkingState('form'),
      blocked: blockedState(requires),
      form,
      succeeded,
      cancelled: cancelledState,
    },
  });
}

/** The same for what requires nothing, such as an organisation: it has no gates. */
function ungatedFormMachine<Result>(journey: typeof organisation, submit: string) {
  const { chart, context, form, succeeded } = formParts<Result>(journey, submit);
  return chart.createMachine({
    id: journey.id,
    context,
    initial: 'form',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: { form, succeeded, cancelled: cancelledState },
  });
}

export const organisationMachine = ungatedFormMachine<{ organisationId: string }>(organisation, 'Create organisation');
export const companyMachine = formMachine<{ companyId: string }>(company, 'Create company');
export const accountMachine = formMachine<{ accountId: string }>(account, 'Create account');
export const datasetMachine = formMachine<{ dataSetId: string }>(dataset, 'Create data set');
