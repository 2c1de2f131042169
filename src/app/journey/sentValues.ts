import type { Facts } from '#contract/facts.ts';
import { memberOf } from '#contract/member.ts';
import { accountText } from '#rules/accountText.ts';
import { counted } from '#rules/counted.ts';
import { textAt } from '#rules/path.ts';
import { dayText } from '#ui/dates.ts';

/** A debtor's or creditor's account in a body that was sent. */
export const sentAccount = (body: unknown, of: 'debtor' | 'creditor'): string =>
  accountText(
    of === 'debtor' ? textAt(body, 'data.debtorAccount.name') : '',
    textAt(body, `data.${of}Account.identification`),
  );

/** The name of the current subscription's provider, if the body was sent for that subscription; otherwise ''. */
export const providerIn = (body: unknown, { settings, provider }: Facts): string =>
  textAt(body, 'data.subscriptionId') === settings.subscriptionId ? (provider?.name ?? '') : '';

/** The day of a time that was sent, for example "26 November 2026 (UTC)"; '' if it is no time. */
export function sentDay(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? '' : dayText(at);
}

/** The number of payments in a batch that was sent, and whom they pay: the creditor's name, or how many there are. */
export function payeesText(body: unknown): { count: number; to: string } {
  const payments = memberOf(memberOf(body, 'data'), 'payments');
  if (!Array.isArray(payments)) return { count: 0, to: '' };
  const names = new Set(payments.map((payment) => textAt(payment, 'creditor.name')));
  const [only = ''] = names;
  return { count: payments.length, to: names.size === 1 && only !== '' ? only : counted(names.size, 'creditor') };
}
