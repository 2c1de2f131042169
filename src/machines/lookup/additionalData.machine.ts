import { assign, setup } from 'xstate';
import type { Provider, Rule } from '#contract/lookup.ts';
import { partyForm, paymentForm, subscriptionForm, type Form } from '#rules/field.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData, nested } from '#rules/payload.ts';
import {
  changeField,
  fillText,
  formActions,
  formContext,
  mayFill,
  openForm,
  type FillEvent,
  type FormContext,
  type FormEvent,
  type FormState,
} from '../lib/form.ts';
import type { DraftInput } from '../lib/draft.ts';
import { cancelledState, finalOutput, journeyTypes } from '../lib/gate.ts';
import { readTexts, effect } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { selectLabel, pressLabel } from '../lib/describe.ts';

/** The request for which a form is built from the rules. */
export const apiPaths = ['Subscriptions', 'DebtorAccounts', 'Creditors', 'BatchPayments'] as const;
export type ApiPath = (typeof apiPaths)[number];

const formOf = (rules: readonly Rule[], apiPath: ApiPath): Form =>
  apiPath === 'Subscriptions'
    ? subscriptionForm(rules)
    : apiPath === 'BatchPayments'
      ? paymentForm(rules)
      : partyForm(rules, apiPath);

/**
 * The value that would be sent: a subscription's additionalData is a string that contains JSON (behaviour, section 3).
 */
export const previewOf = ({ apiPath, form, values }: { apiPath: ApiPath } & FormState): unknown =>
  apiPath === 'Subscriptions' ? { additionalData: additionalData(form, values) } : nested(form, values);

const texts = ['apiPath', 'optionality', 'fieldType', 'uiLabel', 'description', 'example', 'regex', 'errorMessage'];

const isEnumeration = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((entry: { value?: unknown; description?: unknown } | null) =>
    [entry?.value, entry?.description].every((text) => typeof text === 'string'),
  );

/** Why no form can be built from a pasted rule; undefined if one can. */
function flawOf(rule: { validation?: Record<string, unknown> | null } | null): string | undefined {
  const validation = rule?.validation;
  if (typeof validation?.['jsonPath'] !== 'string') return 'has no validation with a jsonPath';
  const wrong = texts.find((key) => !['string', 'undefined'].includes(typeof validation[key]));
  if (wrong) return `has a validation whose ${wrong} is not a text`;
  const { enumeration = [] } = validation;
  return isEnumeration(enumeration) ? undefined : 'has an enumeration that is not a list of value and description';
}

/**
 * Parses pasted rules: a list of rules, or a complete provider definition. Throws an error whose message names the
 * fault in a sentence.
 */
function parseRules(text: string): Rule[] {
  const parsed = parseJson(text) as { accountType?: { validationRules?: unknown } } | unknown[] | null; // any JSON; checked below
  const rules = Array.isArray(parsed) ? parsed : parsed?.accountType?.validationRules;
  if (!Array.isArray(rules)) throw new Error('Paste a list of rules, or a provider with accountType.validationRules.');
  rules.forEach((rule: Parameters<typeof flawOf>[0], index) => {
    const flaw = flawOf(rule);
    if (flaw) throw new Error(`Rule ${index + 1} ${flaw}.`);
  });
  return rules as Rule[];
}

/**
 * The rule playground at /additionaldata: builds a form from a provider's or pasted rules and validates it during
 * input. Effect: `loadProviders`.
 */
export const additionalDataMachine = setup({
  types: journeyTypes<{
    context: FormContext & {
      providers: Provider[];
      rules: Rule[];
      apiPath: ApiPath;
      providerId: string;
      pasteError: string;
    };
    input: DraftInput;
    events:
      | Extract<FormEvent, { type: 'form.change' }>
      | FillEvent
      | { type: 'provider.choose'; providerId: string }
      | { type: 'rules.paste'; text: string }
      | { type: 'path.choose'; apiPath: ApiPath };
  }>(),
  actors: { loadProviders: effect<void, Provider[]>('reads', readTexts('The providers')) },
  guards: { mayFill },
  actions: {
    assignProviders: assign(({ context: { draft } }, providers: Provider[]) => {
      const { providerId, apiPath } = draft.choices;
      const before = providers.find((each) => each.providerId === providerId);
      return {
        providers,
        providerId: before?.providerId ?? '',
        rules: before?.accountType.validationRules ?? [],
        apiPath: apiPaths.find((each) => each === apiPath) ?? apiPaths[0],
      };
    }),
    chooseProvider: assign(({ context, event }) => {
      if (event.type !== 'provider.choose') return {};
      const provider = context.providers.find(({ providerId }) => providerId === event.providerId);
      return { providerId: event.providerId, rules: provider?.accountType.validationRules ?? [], pasteError: '' };
    }),
    assignPasted: assign(({ event }) => {
      if (event.type !== 'rules.paste') return {};
      try {
        return { providerId: '', rules: parseRules(event.text), pasteError: '' };
      } catch (error) {
        return { pasteError: error instanceof Error ? error.message : String(error) };
      }
    }),
    choosePath: assign(({ event }) => (event.type === 'path.choose' ? { apiPath: event.apiPath } : {})),
    openForm: assign(({ context: { rules, apiPath } }) => openForm(formOf(rules, apiPath))),
    // As typed, because a rule is tried with what breaks it.
    changeField: assign(({ context, event }) =>
      event.type === 'form.change' ? changeField(context, event, (_, typed) => typed) : {},
    ),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .extend({
    actions: {
      fillForm: formActions.fillForm,
      showErrors: formActions.showErrors,
      restoreDraft: formActions.restoreDraft,
      keepField: formActions.keepField,
      keepExamples: formActions.keepExamples,
    },
  })
  .createMachine({
    id: 'additionalData',
    context: ({ input }) => ({
      ...formContext(input),
      providers: [],
      rules: [],
      apiPath: 'Subscriptions',
      providerId: '',
      pasteError: '',
    }),
    initial: 'loading',
    output: finalOutput,
    states: {
      loading: {
        tags: ['busy'],
        description: 'Reads the providers',
        entry: 'clearFailure',
        invoke: {
          id: 'loadProviders',
          src: 'loadProviders',
          onDone: {
            target: 'trying',
            actions: [
              { type: 'assignProviders', params: ({ event }) => event.output },
              'openForm',
              'restoreDraft',
              'showErrors',
            ],
          },
          onError: failsTo('unavailable'),
        },
      },
      unavailable: {
        tags: ['failed'],
        description: 'The providers could not be read',
        on: { retry: { guard: 'canHelp', target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      trying: {
        tags: ['form', 'list'],
        description: 'Rules can be chosen or pasted, and tried',
        // Validated on every change, not only on submit, to show which rule applies.
        on: {
          'provider.choose': {
            actions: ['chooseProvider', 'openForm', 'restoreDraft', 'showErrors'],
            description: selectLabel('Rules of provider'),
          },
          'rules.paste': {
            actions: ['assignPasted', 'openForm', 'restoreDraft', 'showErrors'],
            description: pressLabel('Use these rules'),
          },
          'path.choose': {
            actions: ['choosePath', 'openForm', 'restoreDraft', 'showErrors'],
            description: selectLabel('Form for'),
          },
          'form.change': { actions: ['changeField', 'keepField', 'showErrors'] },
          'form.fill': { guard: 'mayFill', actions: ['fillForm', 'keepExamples', 'showErrors'], description: fillText },
          'form.cancel': { target: 'cancelled', description: pressLabel('Close') },
        },
      },
      cancelled: cancelledState,
    },
  });
