import { matchesState, type StateValue } from 'xstate';
import type { BatchRequest } from '#contract/payment.ts';
import { fieldOf, validationOf } from '#rules/field.ts';
import { asRead, previewOf } from '#rules/paymentFile/preview.ts';
import { valuesAt } from '#rules/values.ts';
import { codeOf, messageOf } from '#rules/violation.ts';
import type { BrokenValue, Findings } from './findings.ts';
import { outgoingPayment, type PaymentContext, type PreparedPayment } from './payment.ts';

/** Returns a function for the reference of the payment at an index; '' for undefined. */
const referencesOf =
  ({ payments }: BatchRequest) =>
  (index: number | undefined): string =>
    payments[index ?? -1]?.remittanceInformation?.reference ?? '';

/**
 * The values of an electronic batch that break rules of its provider. Values that are absent are left to the service,
 * because the form does not ask for all that a rule may require.
 */
function brokenByProvider({ rules }: PaymentContext, batch: BatchRequest): BrokenValue[] {
  const referenceOf = referencesOf(batch);
  return rules.flatMap((rule) => {
    const validation = validationOf(rule);
    if (validation?.apiPath !== 'BatchPayments') return [];
    return valuesAt(batch, validation.jsonPath).flatMap(({ value, index }) => {
      const code = codeOf(validation, value);
      if (!code || code === 'Missing') return [];
      const { label } = fieldOf(validation, validation.jsonPath);
      return [{ label, message: messageOf(validation, code, value), reference: referenceOf(index) }];
    });
  });
}

/**
 * Checks a prepared batch by the rules that the service will apply. A batch whose outcome is unknown is repeated as it
 * was sent, whatever the rules say.
 */
export function findingsOf(context: PaymentContext, prepared: PreparedPayment): Findings {
  const { batch } = outgoingPayment({ ...context, prepared });
  const { format } = context;
  if (!format) return { preview: null, broken: prepared.first ? [] : brokenByProvider(context, asRead(batch)) };
  const preview = previewOf(format, batch, new Date(prepared.openedAt ?? `${context.today}T00:00:00Z`));
  const referenceOf = referencesOf(batch);
  const broken = preview.faults.map(({ label, message, payment }) => ({
    label,
    message,
    reference: referenceOf(payment),
  }));
  return { preview, broken: prepared.first ? [] : broken };
}

/** Whether the review is open; null once the payment is over, and before there is a form. */
export function isReviewOpen({ value }: { value: StateValue }): boolean | null {
  if (matchesState('choosing', value)) return false;
  return matchesState('review', value) && !matchesState({ review: 'settled' }, value) ? true : null;
}
