import type { Batch, BatchError } from '#contract/batch.ts';
import { causeOf, controlAt, invoiceChoice, valuesIn, type Cause } from '#rules/causes.ts';
import type { FieldError } from '#rules/check.ts';
import { isDay } from '#rules/date.ts';
import type { Values } from '#rules/field.ts';
import type { PaymentContext } from './payment.ts';

/** A batch with errors that is paid anew: as it was read, with the references of its payments in the order sent. */
export interface Corrected {
  batch: Batch;
  errors: BatchError[];
  references: string[];
}

/** An error of the service with what it names. */
interface Fault extends Cause {
  message: string;
}

/** One error for each control: the messages about it are joined. */
function joined(errors: readonly FieldError[]): FieldError[] {
  const byId = new Map<string, Set<string>>();
  for (const { id, message } of errors) byId.set(id, (byId.get(id) ?? new Set()).add(message));
  return [...byId].map(([id, messages]) => ({ id, message: [...messages].join('; ') }));
}

/**
 * The errors at the controls that caused them: the row of the invoice, and the field. What names neither, or something
 * that the form does not show, has the id '' and says so.
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

/** The errors of the batch that is corrected, at the controls that caused them. */
export const correctedErrors = (context: PaymentContext): FieldError[] =>
  context.corrected ? atControls(faultsIn(context.corrected), context) : [];

/** The errors of a refused batch, at the controls that caused them; nothing if the refusal lists none. */
export function refusedErrors(context: PaymentContext): Partial<Pick<PaymentContext, 'errors' | 'marks'>> {
  const { errors: refused = [] } = context.failure ?? {};
  if (refused.length === 0) return {};
  const sent = context.prepared?.first?.payments.map(
    ({ remittanceInformation }) => remittanceInformation?.reference ?? '',
  );
  const ticked = new Set(context.ticked);
  // In the order in which they were sent (see unsentBatch).
  const references = sent ?? context.invoices.flatMap(({ invoiceId }) => (ticked.has(invoiceId) ? [invoiceId] : []));
  const errors = atControls(
    refused.map(({ path, message }) => ({ ...causeOf({ target: path }, [], references), message })),
    context,
  );
  return { errors, marks: errors };
}

type Chosen = Pick<PaymentContext, 'debtorId' | 'ticked' | 'date' | 'format'>;

/** The choices that a corrected batch was sent with, as far as they can still be made. */
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
  }; // a batch as read may hold anything
  const paid = new Set([...references, ...payments.map((_, index) => causeOf({ index }, payments).invoice)]);
  const account = debtors.find(({ debtorId }) => debtorId === debtor?.debtorId);
  const format = fileFormats.find((each) => each.fileFormatId === fileFormatId);
  const day = typeof at === 'string' ? at.slice(0, 10) : '';
  return {
    ticked: invoices.flatMap(({ invoiceId, payment }) => (paid.has(invoiceId) && !payment ? [invoiceId] : [])),
    ...(account && { debtorId: account.debtorId }),
    ...(format && { format }),
    ...(isDay(day) && day >= today && { date: day }),
  };
}

/** The values that a corrected batch was sent with, for the form that is open. */
export const valuesOf = ({ corrected, form }: Pick<PaymentContext, 'corrected' | 'form'>): Values =>
  corrected ? valuesIn(corrected.batch, form) : {};
