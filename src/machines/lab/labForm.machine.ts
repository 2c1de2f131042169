import { assign, emit, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { FieldError } from '#rules/fieldError.ts';
import type { Form, Values } from '#rules/field.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import type { Tag } from '../lib/state.ts';
import { failureOf, effect, actionTexts } from '../lib/effect.ts';
import { failsTo } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';

/** A form of the lab, whose fields may depend on its values: those of a fault depend on its kind. */
export interface LabFormKind {
  /** Returns the form for these values; the same object for the same fields. */
  formOf: (values: Values) => Form;
  /** The initial values. */
  first: Values;
  /** Returns the values after a change; resets values that the change makes invalid. */
  changed: (values: Values, field: string, value: string) => Values;
  /** Returns all errors, in the form's order. */
  check: (values: Values) => FieldError[];
}

type LabFormEvent = { type: 'form.change'; field: string; value: string } | { type: 'form.submit' };

interface LabFormContext {
  kind: LabFormKind;
  values: Values;
  errors: readonly FieldError[];
  failure: Problem | null;
  /** The lab's answer to the last submission; null before the first one. */
  result: unknown;
}

const changes = { target: 'editing', actions: 'changeField', description: 'Fill in a field' } as const;
const sends = [
  {
    guard: 'isValid',
    target: 'sending',
    description: pressLabel('Add fault', 'Move the clock', 'Send all again', 'Check', 'Add the receiver'),
  },
  { target: 'invalid', actions: 'showErrors' },
] as const;

/** Values that were just sent are valid until they change. */
const sendsAgain = { target: '#labForm.sending' } as const;

/**
 * A form that is sent to the fault lab and can be sent again with other values. Effect: `submit`, which returns the lab's
 * answer. Emits `done` when the lab has accepted it.
 */
export const labFormMachine = setup({
  types: {
    context: {} as LabFormContext,
    events: {} as LabFormEvent,
    input: {} as LabFormKind,
    emitted: {} as { type: 'done' },
    tags: {} as Tag,
  },
  delays: { doubleClick },
  actors: { submit: effect<Values, unknown>('writes', actionTexts('The lab has accepted it')) },
  guards: {
    isValid: describedGuard(
      'nothing is in error',
      ({ context: { kind, values } }: { context: LabFormContext }) => kind.check(values).length === 0,
    ),
  },
  actions: {
    changeField: assign(({ context: { kind, values, errors }, event }) => {
      if (event.type !== 'form.change') return {};
      const now = kind.changed(values, event.field, event.value);
      // A field in error is validated again immediately (behaviour, section 10.3).
      const wrong = new Set(errors.map(({ id }) => id));
      return { values: now, errors: kind.check(now).filter(({ id }) => wrong.has(id)) };
    }),
    showErrors: assign(({ context: { kind, values } }) => ({ errors: kind.check(values), failure: null })),
    clearErrors: assign({ errors: [], failure: null }),
    assignResult: assign((_, { result }: { result: unknown }) => ({ result })),
    assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error), result: null })),
    emitDone: emit({ type: 'done' }),
  },
}).createMachine({
  id: 'labForm',
  context: ({ input }) => ({ kind: input, values: input.first, errors: [], failure: null, result: null }),
  initial: 'editing',
  states: {
    editing: {
      tags: ['form'],
      description: 'The form is open',
      on: { 'form.change': changes, 'form.submit': sends },
    },
    invalid: {
      tags: ['form'],
      description: 'The form was sent with fields in error',
      on: { 'form.change': { actions: 'changeField', description: changes.description }, 'form.submit': sends },
    },
    sending: {
      tags: ['form', 'busy'],
      description: 'The lab is asked',
      entry: 'clearErrors',
      invoke: {
        id: 'submit',
        src: 'submit',
        input: ({ context }) => context.values,
        onDone: {
          target: 'taken',
          actions: [{ type: 'assignResult', params: ({ event }) => ({ result: event.output }) }, 'emitDone'],
        },
        onError: failsTo('refused'),
      },
    },
    taken: {
      description: 'The lab has accepted it',
      initial: 'turned',
      states: {
        turned: {
          tags: ['form'],
          description: 'For half a second the second press of a double click sends nothing',
          after: { doubleClick: { target: 'open', description: doubleClickPasses } },
        },
        open: {
          tags: ['form'],
          description: 'The same can be sent again',
          on: { 'form.submit': sendsAgain },
        },
      },
      on: { 'form.change': changes },
    },
    refused: {
      tags: ['form', 'failed'],
      description: 'The lab has refused it, or could not be reached',
      on: { 'form.change': changes, 'form.submit': sendsAgain },
    },
  },
});
