import type { PaymentContext } from '#machines/payment/payment.ts';
import { does, first, habit, idsOf, retries, writes, suspends } from '../acts.ts';
import type { Does, Now, User } from '../user.ts';

const pays = (journey: 'electronicPayment' | 'filePayment'): User => {
  const isThere: User['isThere'] = (facts, before) => facts.batches > before.batches;
  const of = ({ snapshot }: Now) => snapshot.context as PaymentContext;
  /** The same invoice in every tab; once it is paid, the goal is reached. */
  const ticks: Does = (now) => {
    const { wanted } = now.notes;
    const { invoices } = of(now);
    const invoice = invoices.find(({ invoiceId }) => invoiceId === (wanted.id ??= invoices[0]?.invoiceId ?? ''));
    return invoice && invoice.payment?.state !== 'paid'
      ? { type: 'invoices.tick', ids: [invoice.invoiceId] }
      : 'leaves';
  };
  const reviews = first('tick', ticks, first('fill', does('form.fill'), does('form.submit')));
  const unlessThere =
    (act: Does): Does =>
    (now) =>
      isThere(now.facts, now.notes.before) ? 'leaves' : act(now);
  return {
    journey,
    at: 'creditor',
    isThere,
    made: idsOf('batch'),
    does: {
      'choosing.format': (now) => ({ type: 'format.choose', fileFormatId: of(now).fileFormats[0]?.fileFormatId }),
      'choosing.form.editing': unlessThere(
        habit('hastes', does('form.submit'), habit('asks', does('invoices.ask', { count: 10 }), reviews)),
      ),
      'choosing.form.invalid': unlessThere(reviews),
      'review.ready': (now) =>
        of(now).prepared?.covered.some(({ state }) => state === 'paid')
          ? 'leaves'
          : habit('hesitates', does('review.back'), writes(does('payment.pay')))(now),
      'review.refused': does('payment.pay'),
      unavailable: retries,
      'review.unprepared': retries,
    },
    ways: [
      {
        states: [
          ...(journey === 'filePayment' ? ['choosing.format'] : []),
          'loading',
          'choosing.form.editing',
          'review.preparing',
          'review.ready',
          'review.paying',
        ],
      },
      { at: 'debtor', states: ['blocked'] },
      { at: 'authorisation', states: ['blocked'] },
      { at: 'subscription', states: ['blocked'] },
      { before: suspends, states: ['blocked'] },
      { habits: ['hastes'], states: ['choosing.form.invalid'] },
      { habits: ['asks'], states: ['choosing.listing'] },
      { faults: { loading: 'cut' }, states: ['unavailable'] },
      { faults: { 'review.preparing': 'cut' }, states: ['review.unprepared'] },
      { faults: { 'review.paying': 'cut' }, states: ['review.refused'] },
    ],
  };
};

export const payment = {
  'pay electronically': pays('electronicPayment'),
  'pay by file': pays('filePayment'),
  'pay, beginning with nothing': {
    ...pays('electronicPayment'),
    at: 'settings',
    ways: [{ states: ['blocked'] }],
  },
} as const satisfies Record<string, User>;
