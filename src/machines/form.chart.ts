import { assign, setup } from 'xstate';
import type { Form, Values } from '#rules/field.ts';
import { changeField, emptyForm, filling, formErrors, openForm, type FormEvent, type FormState } from './form.ts';
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
} from './gate.ts';
import { failureOf, port, taken } from './port.ts';
import type { RequirementId } from './requirements.ts';

/**
 * The journey of one form: load the facts, pass the gates, edit, submit. Organisation, company, account and data set
 * specialise it (behaviour, sections 2 and 5). `Result` is what the service created.
 *
 * Ports: `loadFacts` gives the facts, `submit` sends the values; both reject with a Problem.
 */
export function formChart<Result>(options: {
  id: string;
  requires: readonly RequirementId[];
  form: Form;
  /** Where this is there already, the chart asks before another one is created. */
  another: RequirementId;
}) {
  return setup({
    types: {
      context: {} as JourneyContext & FormState & { result: Result | null },
      events: {} as JourneyEvent | FormEvent | { type: 'another.create' },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: { loadFacts, submit: port<Values, Result>('writes', taken('It is created')) },
    guards: {
      lacks,
      isThere: ({ context }) => !lacks({ context }, { need: options.another }),
      valid: ({ context }) => formErrors(context).length === 0,
    },
    actions: {
      open: assign(() => openForm(options.form)),
      change: assign(({ context, event }) => (event.type === 'form.change' ? changeField(context, event) : {})),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      clearErrors: assign({ errors: [], failure: null }),
    },
  }).createMachine({
    id: options.id,
    context: { ...noFacts, ...emptyForm, result: null },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads where the user stands' },
        entry: assign({ failure: null }),
        invoke: {
          id: 'loadFacts',
          src: 'loadFacts',
          onDone: { target: 'checking', actions: assign({ facts: ({ event }) => event.output }) },
          onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'The facts could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      checking: { always: checks(options.requires, 'looking') },
      ...gates(options.requires),
      looking: { always: [{ guard: 'isThere', target: 'another' }, { target: 'opening' }] },
      another: {
        tags: ['form'],
        meta: { description: 'One is there already: asks before another one is created' },
        on: { 'another.create': { target: 'opening' }, 'form.cancel': { target: 'cancelled' } },
      },
      opening: { always: { target: 'editing', actions: 'open' } },
      ...filling({}),
      submitting: {
        tags: ['form', 'busy'],
        meta: { description: 'The form is being sent' },
        entry: 'clearErrors',
        invoke: {
          id: 'submit',
          src: 'submit',
          input: ({ context }) => context.values,
          onDone: { target: 'succeeded', actions: assign({ result: ({ event }) => event.output }) },
          onError: { target: 'refused', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
        },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The service created what the form asked for' },
      },
      cancelled: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}
