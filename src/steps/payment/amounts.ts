import type { Invoice, Standing } from '#contract/payment.ts';
import { groupedAmounts } from '#rules/batch.ts';

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const timeText = (at: string): string => moment.format(new Date(at));

/** Without a currency while no account is chosen. */
export const amountOf = ({ amount, currency }: Pick<Invoice, 'amount' | 'currency'>): string =>
  groupedAmounts(`${amount} ${currency}`.trim());

export const standingText = ({ state, at, batchId }: Standing): string =>
  state === 'paid'
    ? `Paid in batch ${batchId} on ${timeText(at)}`
    : `May be paid: it was sent on ${timeText(at)}, and what came of it is not known`;

export const standingOf = ({ payment }: Invoice): string => (payment ? standingText(payment) : 'No');
