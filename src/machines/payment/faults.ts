import type { Batch, BatchError } from '#contract/batch.ts';
import { isDay } from '#contract/day.ts';
import { dayFlaw, daysFrom } from '#contract/executionDate.ts';
import { causeOf, controlAt, invoiceChoice, type Cause } from '#rules/causes.ts';
import type { FieldError } from '#rules/fieldError.ts';
import type { Values } from '#rules/field.ts';
import { valuesIn } from '#rules/prefill.ts';
import type { Corrected } from './findings.ts';
import type { PaymentContext } from './payment.ts';

/** An error from the service, with the invoice and the path that it names. */
interface Fault extends Cause {
  message: string;
}

/** Merges errors at the same control: joins their distinct messages with '; '. */
function joined(errors: readonly FieldError[]): FieldError[] {
  const byId = new Map<string, Set<string>>();
  for (const { id, message } of errors) byId.set(id, (byId.get(id) ?? new Set()).add(message));
  return [...byId].map(([id, messages]) => ({ id, message: [...messages].join('; ') }));
}

/**
 * Assigns errors to the invoice rows and fields that they name. An error that names neither, or one that the form does
 * not show, gets the id '' and the reason.
 */
function atControls(
  faults: readonly Fault[],
  { form, invoices }: Pick<PaymentContext, 'form' | 'invoices'>,
): FieldError[] {
  const listed = new Set(invoices.map(({ invoiceId }) => invoiceId));
  return joined(
    faults.flatMap(({ invoice, path, message }): FieldError[] => {
      const control = controlAt(path, form);
      const field =
        control === '' ? [] : [{ id: control, message: invoice ? `${message} (invoice ${invoice})` : message }];
      if (listed.has(invoice)) return [{ id: invoiceChoice(invoice), message: `${invoice}: ${message}` }, ...field];
      if (field.length > 0) return field;
      const why = invoice
        ? `${invoice} is not among the invoices listed here`
        : 'it names no invoice or field of this form';
      return [{ id: '', message: `${message} (${why})` }];
    }),
  );
}

const sentence = ({ message, code, target }: BatchError): string =>
  message || code || target || 'An error without a text';

const faultsIn = ({ batch, errors, references }: Corrected): Fault[] =>
  errors.map((error) => ({ ...causeOf(error, batch.payments, references), message: sentence(error) }));

/** The errors of the batch being corrected, at the controls that caused them. */
export const correctedErrors = (context: PaymentContext): FieldError[] =>
  context.corrected ? atControls(faultsIn(context.corrected), context) : [];

/** The errors of a refused batch, at the controls that caused them; {} if the refusal lists none. */
export function refusedErrors(context: PaymentContext): Partial<Pick<PaymentContext, 'errors' | 'marks'>> {
  const { errors: refused = [] } = context.failure ?? {};
  if (refused.length === 0) return {};
  const sent = context.prepared?.first?.payments.map(
    ({ remittanceInformation }) => remittanceInformation?.reference ?? '',
  );
  const ticked = new Set(context.ticked);
  // Same order as in unsentBatch.
  const references = sent ?? context.invoices.flatMap(({ invoiceId }) => (ticked.has(invoiceId) ? [invoiceId] : []));
  const errors = atControls(
    refused.map(({ path, message }) => ({ ...causeOf({ target: path }, [], references), message })),
    context,
  );
  return { errors, marks: errors };
}

type Chosen = Pick<PaymentContext, 'debtorId' | 'ticked' | 'date' | 'format'>;

/** The choices with which the corrected batch was sent; leaves out those that are no longer possible. */
export function choicesIn(
  { batch, references }: Corrected,
  { debtors, invoices, fileFormats, today }: Pick<PaymentContext, 'debtors' | 'invoices' | 'fileFormats' | 'today'>,
): Partial<Chosen> {
  const {
    debtor,
    fileFormatId,
    requestedExecutionDateTime: at,
    payments = [],
  } = batch as Batch & {
    debtor?: { debtorId?: unknown } | null;
    fileFormatId?: unknown;
    requestedExecutionDateTime?: unknown;
  }; // unvalidated: the service may return anything
  const paid = new Set([...references, ...payments.map((_, index) => causeOf({ index }, payments).invoice)]);
  const account = debtors.find(({ debtorId }) => debtorId === debtor?.debtorId);
  const format = fileFormats.find((each) => each.fileFormatId === fileFormatId);
  const day = typeof at === 'string' ? at.slice(0, 10) : '';
  return {
    ticked: invoices.flatMap(({ invoiceId, payment }) =>
      paid.has(invoiceId) && (!payment || payment.state === 'failed') ? [invoiceId] : [],
    ),
    ...(account && { debtorId: account.debtorId }),
    ...(format && { format }),
    ...(isDay(day) && !dayFlaw(day, daysFrom(today)) && { date: day }),
  };
}

/** The values with which the corrected batch was sent, for the fields of the open form. */
export const valuesOf = ({ corrected, form }: Pick<PaymentContext, 'corrected' | 'form'>): Values =>
  corrected ? valuesIn(form, corrected.batch) : {};
