import { textOrEmpty } from '#contract/text.ts';
import { invoiceCounts } from '#contract/constants.ts';
import { isConfirmed, totalText, type PaymentContext } from '#machines/payment/payment.ts';
import { counted } from '#rules/counted.ts';
import { fillAndSubmit, fillIn, send, stuck, type Move, type Moves, type Place } from './actions.ts';

/** Chooses the template given by id or name, by default the first one. */
function format({ now, walk, once }: Place): Move | null {
  const { fileFormats } = now.context as PaymentContext;
  const wanted = textOrEmpty(walk.choices['format']);
  const found = fileFormats.find(({ fileFormatId, name }) => wanted === '' || [fileFormatId, name].includes(wanted));
  if (!found)
    return stuck(`choices.format is "${wanted}": there are ${fileFormats.map(({ name }) => name).join(', ')}`);
  return once('format', send({ type: 'format.choose', fileFormatId: found.fileFormatId }));
}

/** Chooses the account given by id or name; on the sandbox, by default the first one. */
function debtor({ now, walk, once }: Place): Move | null {
  const { debtors, debtorId } = now.context as PaymentContext;
  const wanted = textOrEmpty(walk.choices['debtor']);
  if (wanted === '') return null;
  const found = debtors.find((each) => [each.debtorId, each.debtorAccountname].includes(wanted));
  if (!found) return stuck(`choices.debtor is "${wanted}": there is no such account`);
  return found.debtorId === debtorId ? null : once('debtor', send({ type: 'debtor.choose', debtorId: found.debtorId }));
}

/**
 * Ticks the invoices given by ids or number; on the sandbox, by default those that the examples tick. Lists more
 * invoices if too few are open.
 */
function invoices({ now, walk, facts, once }: Place): Move | null {
  const { invoices: listed, invoiceCount, ticked } = now.context as PaymentContext;
  const wanted = walk.choices['invoices'];
  if (wanted === undefined && facts.environment === 'live')
    return stuck('choices.invoices is missing: give the number of open invoices to pay, or their ids');
  if (Array.isArray(wanted)) {
    const ids = wanted as string[]; // ensured when the file was parsed
    const absent = ids.find((id) => !listed.some(({ invoiceId }) => invoiceId === id));
    const more = absent !== undefined && nextCount(invoiceCount);
    if (more) return send({ type: 'invoices.ask', count: more });
    return absent === undefined
      ? once('tick', send({ type: 'invoices.tick', ids }))
      : stuck(`choices.invoices names ${absent}: there is no such invoice`);
  }
  if (wanted === undefined && ticked.length > 0) return null;
  const least = Number(wanted ?? 1);
  const open = listed.flatMap(({ invoiceId, payment }) => (payment ? [] : invoiceId));
  const more = open.length < least && nextCount(invoiceCount);
  if (more) return send({ type: 'invoices.ask', count: more });
  if (open.length < least)
    return stuck(`choices.invoices is ${least}: open are only ${counted(open.length, 'invoice')}`);
  return once('tick', send({ type: 'invoices.tick', ids: wanted === undefined ? open : open.slice(0, least) }));
}

const nextCount = (count: number): number | undefined => invoiceCounts.find((each) => each > count);

function date({ now, walk, once }: Place): Move | null {
  const wanted = textOrEmpty(walk.choices['date']);
  if (wanted === '' || (now.context as PaymentContext).date === wanted) return null;
  return once('date', send({ type: 'date.choose', date: wanted }));
}

/** Gives the confirmations that the review requires, then pays. */
function review({ now, walk, once }: Place): Move | null {
  const context = now.context as PaymentContext;
  const covered = context.prepared?.covered ?? [];
  if (covered.length > 0 && !context.again) {
    if (walk.choices['again'] === true) return once('again', send({ type: 'again.allow', allowed: true }));
    return stuck(`${covered.length} of the invoices may be paid already: choices.again allows to pay them again`);
  }
  if (!isConfirmed(context)) {
    const text = textOrEmpty(walk.choices['total']);
    const typed = text && once('total', send({ type: 'total.confirm', text }));
    return typed || stuck(`choices.total is "${text}": the total to confirm is ${totalText(context)}`);
  }
  return once('pay', send({ type: 'payment.pay' }));
}

/** The moves of both kinds of payment. */
export const payment: Moves = (place) => {
  const { state } = place;
  if (state === 'choosing.format') return format(place);
  if (state === 'review.ready') return review(place);
  if (state !== 'choosing.form.editing' && state !== 'choosing.form.invalid') return null;
  return fillIn(place) ?? debtor(place) ?? date(place) ?? invoices(place) ?? fillAndSubmit(place);
};
