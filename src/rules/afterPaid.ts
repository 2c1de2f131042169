import { isObject, jsonIn } from '#contract/json.ts';
import { member } from '#contract/member.ts';
import { heldStatus, returnedStatus, returnReasons } from '#contract/returns.ts';
import { statusOf } from '#contract/status.ts';
import { groupedAmounts } from './groupedAmounts.ts';
import { textAt } from './path.ts';

/** What the service says of a payment that is held or came back, by its additional data (wire, 12.5 and 12.6). */

export const isReturned = (payment: object): boolean => statusOf(textAt(payment, 'status')) === returnedStatus;

const moneyAt = (data: object, name: string): string =>
  [textAt(data, `${name}.amount`), textAt(data, `${name}.currency`)].filter(Boolean).join(' ');

/** Returns it in a sentence without its full stop: why and how much came back when, or what is asked by when; '' for neither. */
export function afterPaid(payment: object): string {
  const said = jsonIn(textAt(payment, 'additionalData'));
  const data = isObject(said) ? said : {};
  if (statusOf(textAt(payment, 'status')) === heldStatus) {
    const [asked, by] = [textAt(data, 'informationRequested'), textAt(data, 'respondBy')];
    return [asked && `The bank asks: ${asked}`, by && `answer by ${by}`].filter(Boolean).join(', ');
  }
  if (!isReturned(payment)) return '';
  const code = textAt(payment, 'extendedStatus');
  const reason = textAt(data, 'returnReason') || (member(returnReasons, code) ?? '');
  const why = [reason, reason && code ? `(${code})` : code].filter(Boolean).join(' ');
  const [amount, charges] = [moneyAt(data, 'returnedAmount'), moneyAt(data, 'charges')];
  const day = textAt(data, 'returnedAt').slice(0, 10);
  const back = ['Came back', day && `on ${day}`].filter(Boolean).join(' ');
  return [
    why ? `${back}: ${why}` : back,
    amount && `${groupedAmounts(amount)} of ${groupedAmounts(moneyAt(payment, 'instructedAmount'))}`,
    /[1-9]/.test(charges) && `charges ${groupedAmounts(charges)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** What a webhook said of a payment that came back; a later reading may not. */
export interface ToldReturn {
  paymentId: string;
  extendedStatus: string;
  additionalData: string;
}

/** Maximum numbers of payments, and of characters of a member, that are stored of webhooks. */
const longest = { payments: 2000, text: 1000 };

/** The returns that webhooks have told: those that are stored, and those of the payments that another one names. */
export function toldReturns(stored: readonly ToldReturn[] = [], payments: readonly unknown[] = []): ToldReturn[] {
  const told = payments.flatMap((payment) => {
    if (!isObject(payment) || !isReturned(payment) || textAt(payment, 'paymentId') === '') return [];
    const [paymentId, extendedStatus, additionalData] = ['paymentId', 'extendedStatus', 'additionalData'].map((name) =>
      textAt(payment, name).slice(0, longest.text),
    ) as [string, string, string]; // of three names
    return [{ paymentId, extendedStatus, additionalData }];
  });
  const byId = new Map([...stored, ...told].map((each) => [each.paymentId, each]));
  return [...byId.values()].slice(0, longest.payments);
}

/** The payments of a reading; one that it calls completed came back if a webhook has told that. */
export function withTold<Payment extends object>(
  payments: readonly Payment[] | undefined,
  told: readonly ToldReturn[],
): Payment[] | undefined {
  const byId = new Map(told.map((each) => [each.paymentId, each]));
  return payments?.map((payment) => {
    const back = byId.get(textAt(payment, 'paymentId'));
    return back && statusOf(textAt(payment, 'status')) === 'Completed'
      ? { ...payment, ...back, status: returnedStatus }
      : payment;
  });
}
