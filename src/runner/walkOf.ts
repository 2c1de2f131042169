import type { AnyMachineSnapshot } from 'xstate';
import type { FormName } from '#contract/forms.ts';
import { jsonIn } from '#contract/json.ts';
import { operationAt } from '#contract/serviceCalls.ts';
import { memberOf } from '#contract/member.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { stepsOf } from '#machines/operationSteps.ts';
import type { FormState } from '#machines/lib/form.ts';
import type { PaymentContext } from '#machines/payment/payment.ts';
import { shownSettings, type QueuedChanges } from '#machines/settings/changes.ts';
import { formFor, type Context as SubscriptionContext } from '#machines/subscription/choice.ts';
import type { Form, Values } from '#rules/field.ts';
import { textAt } from '#rules/path.ts';
import { ownForm } from '#rules/forms.ts';
import { valuesBelow, valuesIn } from '#rules/prefill.ts';
import type { Choice, Walk } from './actions.ts';
import { table } from './table.ts';

/** What a user has given in a journey. */
type Given = Partial<Pick<Walk, 'values' | 'choices'>>;

/** Reads it from the journey's context, or from the body of a request that the journey has sent. */
type Reader = (context: never, body?: unknown) => Given;

const filled = <Value extends Choice>(given: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, Value] => entry[1] !== undefined && entry[1] !== ''),
  );

const ofForm = ({ fields }: Form, values: Values): Values =>
  filled(Object.fromEntries(fields.map(({ id }) => [id, values[id]])));

/** The values of a console's own form, which the body has below `lead`; also where the form is not open. */
const own =
  (name: FormName, lead = ''): Reader =>
  ({ form, values }: FormState, body) => ({
    values: body === undefined ? ofForm(form, values) : filled(valuesIn(ownForm(name), body, lead)),
  });

/** The values of a form of rules in a body that was sent; without the form, by their paths. */
const sentValues = (form: Form, body: unknown, lead: string, without: () => Values): Values =>
  filled(form.fields.length > 0 ? valuesIn(form, body, lead) : without());

/** Members of a debtor or creditor that the console adds to the values of its form. */
const added = ['subscriptionId', 'debtorId', 'creditorId'];

const party: Reader = ({ form, values }: FormState, body) => ({
  values:
    body === undefined ? ofForm(form, values) : sentValues(form, body, 'data.', () => valuesBelow(body, 'data', added)),
});

const settings: Reader = (context: QueuedChanges) => {
  const shown = shownSettings(context);
  return {
    values: filled(
      Object.fromEntries((table.settings.fields ?? []).map((key) => [key, shown[key as keyof typeof shown]])),
    ),
  }; // its fields are settings
};

const subscription =
  (kind: 'form' | 'bank'): Reader =>
  (context: SubscriptionContext, body) => {
    const { form, values, provider, providers } = context;
    if (body === undefined)
      return { values: ofForm(form, values), choices: filled({ provider: provider?.providerId }) };
    const providerId = textAt(body, 'data.providerId');
    const sentTo = providers.find((each) => each.providerId === providerId) ?? null;
    const sentForm = formFor({ ...context, provider: sentTo }, kind);
    return {
      values: sentValues(sentForm, body, 'data.additionalData.', () => valuesBelow(body, 'data.additionalData')),
      choices: filled({ provider: providerId }),
    };
  };

/** The payments of a batch refer to their invoices. */
function invoicesIn(body: unknown): string[] {
  const payments = memberOf(memberOf(body, 'data'), 'payments');
  return Array.isArray(payments) ? payments.map((payment) => textAt(payment, 'remittanceInformation.reference')) : [];
}

const payment: Reader = (context: PaymentContext, body) => {
  const { form, values, format, debtorId, date, ticked } = context;
  const invoices = body === undefined ? ticked : invoicesIn(body);
  return {
    values:
      body === undefined
        ? ofForm(form, values)
        : sentValues(form, body, 'data.', () => ({
            ...valuesBelow(body, 'data.payments.additionalData'),
            ...valuesBelow(body, 'data.additionalData'),
          })),
    choices: {
      ...filled({
        format: body === undefined ? format?.fileFormatId : textAt(body, 'data.fileFormatId'),
        debtor: body === undefined ? debtorId : textAt(body, 'data.debtor.debtorId'),
        date: body === undefined ? (date ?? '') : textAt(body, 'data.requestedExecutionDateTime').slice(0, 10),
      }),
      ...(invoices.length > 0 && { invoices }),
    },
  };
};

/** A language may be none, which is ''. */
const question: Reader = ({ question: asked }: { question: Values }) => ({
  values: Object.fromEntries(Object.entries(asked).filter(([name, value]) => value !== '' || name === 'language')),
});

const additionalData: Reader = ({ form, values, providerId }: FormState & { providerId: string }) => ({
  values: ofForm(form, values),
  choices: filled({ provider: providerId }),
});

const nothing: Reader = () => ({});

const readers: Readonly<Record<JourneyId, Reader>> = {
  settings,
  organisation: own('organisation'),
  company: own('company'),
  accessToken: nothing,
  userToken: nothing,
  account: own('account', 'data.attributes.'),
  dataset: own('dataset', 'data.attributes.'),
  subscription: subscription('form'),
  bankSubscription: subscription('bank'),
  authorisation: nothing,
  debtor: party,
  debtorQuery: nothing,
  creditor: party,
  creditorQuery: nothing,
  electronicPayment: payment,
  filePayment: payment,
  batch: ({ batchId }: { batchId: string }) => ({ choices: filled({ batch: batchId }) }),
  batchList: nothing,
  transfer: nothing,
  consumerHealth: question,
  messagingHealth: question,
  translations: question,
  bankFiles: question,
  providers: question,
  additionalData,
};

/** What a user asks for in a list besides: no walk deletes or changes what it finds. */
const besides: readonly string[] = ['updates', 'debtoraccountdeletes', 'creditordeletes'];

/** Whether a journey's walk sends a request, if it is a write. */
export function isOfWalk(journey: JourneyId, { method, path }: { method: string; path: string }): boolean {
  if (method === 'GET') return true;
  const operation = method === 'POST' ? (operationAt(method, path) ?? '') : '';
  return !besides.includes(operation) && stepsOf(operation).includes(journey);
}

/**
 * The walk that does what a journey's user has done: with the values of its form as it stands, or with those of the request
 * that was sent with this `body`.
 */
export function walkOf(journey: JourneyId, { context }: AnyMachineSnapshot, body?: string): Walk {
  const sent = body === undefined || body === '' ? undefined : jsonIn(body);
  const { values = {}, choices = {} } = readers[journey](context as never, sent); // of that journey
  return { journey, values, choices };
}
