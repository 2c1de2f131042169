import { isObject, jsonIn, stringify, type JsonObject } from '#contract/json.ts';
import { member, memberOf } from '#contract/member.ts';
import { heldStatus, returnedStatus, returnReasons } from '#contract/returns.ts';
import { statusOf } from '#contract/status.ts';
import { groupedAmounts } from './groupedAmounts.ts';
import { textAt } from './path.ts';

/** What the service says of a payment that is held or came back, by its additional data (wire, 12.5 and 12.6). */

export const isReturned = (payment: object): boolean => statusOf(textAt(payment, 'status')) === returnedStatus;

const moneyAt = (data: object, name: string): string =>
  [textAt(data, `${name}.amount`), textAt(data, `${name}.currency`)].filter(Boolean).join(' ');

/** The additional data of a payment, which a service sends as a text that contains JSON, or as an object. */
function dataOf(payment: object): JsonObject {
  const said = memberOf(payment, 'additionalData');
  const data = typeof said === 'string' ? jsonIn(said) : said;
  return isObject(data) ? data : {};
}

/** What came back of a payment, in major units; '' if that is not said. */
export function returnedAmountOf(payment: object): { amount: string; currency: string } {
  const data = dataOf(payment);
  return { amount: textAt(data, 'returnedAmount.amount'), currency: textAt(data, 'returnedAmount.currency') };
}

/** Returns it in a sentence without its full stop: why and how much came back when, or what is asked by when; '' for neither. */
export function afterPaid(payment: object): string {
  const data = dataOf(payment);
  if (statusOf(textAt(payment, 'status')) === heldStatus) {
    const [asked, by] = [textAt(data, 'informationRequested'), textAt(data, 'respondBy')];
    return [asked && `The bank asks: ${asked}`, by && `answer by ${by}`].filter(Boolean).join(', ');
  }
  if (!isReturned(payment)) return '';
  const code = textAt(payment, 'extendedStatus');
  const reason = textAt(data, 'returnReason') || (member(returnReasons, code) ?? '');
  const why = [reason, reason && code ? `(${code})` : code].filter(Boolean).join(' ');
  const [amount, charges] = [moneyAt(data, 'returnedAmount'), moneyAt(data, 'charges')];
  const sent = moneyAt(payment, 'instructedAmount');
  const day = textAt(data, 'returnedAt').slice(0, 10);
  const back = ['Came back', day && `on ${day}`].filter(Boolean).join(' ');
  return [
    why ? `${back}: ${why}` : back,
    amount && [amount, sent].filter(Boolean).map(groupedAmounts).join(' of '),
    /[1-9]/.test(charges) && `charges ${groupedAmounts(charges)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** What was said of a payment that came back, by a webhook or a reading; a later reading may not say it. */
export interface ToldReturn {
  paymentId: string;
  extendedStatus: string;
  /** What `afterPaid` says of it, as a text that contains JSON. */
  additionalData: string;
}

/** Maximum numbers of payments, and of characters of a text, that are stored of returns. */
const longest = { payments: 2000, text: 300 };

/** The members of additional data that are stored of a return. */
const storedMoney = ['returnedAmount', 'charges'] as const;

function toldReturn(payment: object): ToldReturn {
  const data = dataOf(payment);
  const text = (holder: object, path: string) => textAt(holder, path).slice(0, longest.text);
  const money = storedMoney.flatMap((name) =>
    moneyAt(data, name) === ''
      ? []
      : [[name, { amount: text(data, `${name}.amount`), currency: text(data, `${name}.currency`) }]],
  );
  const texts = ['returnReason', 'returnedAt'].flatMap((name) => (text(data, name) ? [[name, text(data, name)]] : []));
  const kept = Object.fromEntries([...texts, ...money]) as object;
  return {
    paymentId: text(payment, 'paymentId'),
    extendedStatus: text(payment, 'extendedStatus'),
    additionalData: Object.keys(kept).length === 0 ? '' : stringify(kept),
  };
}

/** Two accounts of one return: what the later one leaves out, the earlier one has said. */
const both = (earlier: ToldReturn | undefined, later: ToldReturn): ToldReturn => ({
  paymentId: later.paymentId,
  extendedStatus: later.extendedStatus || (earlier?.extendedStatus ?? ''),
  additionalData: later.additionalData || (earlier?.additionalData ?? ''),
});

/** The returns that have been told: those that are stored, and those among the payments that a webhook or a reading names. */
export function toldReturns(stored: readonly ToldReturn[] = [], payments: readonly unknown[] = []): ToldReturn[] {
  const byId = new Map(stored.map((each) => [each.paymentId, each]));
  for (const payment of payments) {
    if (!isObject(payment) || !isReturned(payment) || textAt(payment, 'paymentId') === '') continue;
    const told = toldReturn(payment);
    byId.set(told.paymentId, both(byId.get(told.paymentId), told));
  }
  return [...byId.values()].slice(0, longest.payments);
}

/** The payments of a reading; one that it calls completed came back if that was told before, for the reason that was told. */
export function withTold<Payment extends object>(
  payments: readonly Payment[] | undefined,
  told: readonly ToldReturn[],
): Payment[] | undefined {
  const byId = new Map(told.map((each) => [each.paymentId, each]));
  return payments?.map((payment) => {
    const back = byId.get(textAt(payment, 'paymentId'));
    if (back && statusOf(textAt(payment, 'status')) === 'Completed')
      return { ...payment, ...back, status: returnedStatus };
    const saysWhy = toldReturn(payment).additionalData !== '';
    return back && isReturned(payment) && !saysWhy ? { ...payment, ...both(back, toldReturn(payment)) } : payment;
  });
}
