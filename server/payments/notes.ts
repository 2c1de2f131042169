import { z } from 'zod';
import type { Batch } from '#contract/batch.ts';
import { dayOf } from '#contract/executionDate.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { statusOf } from '#contract/status.ts';
import { schemes } from '#rules/bankingDays.ts';
import { addressNotes, currenciesOf, dayNotes, schemesOf } from '#rules/batchNotes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { pause } from '#server/clock.ts';
import { meansOf } from '#server/companies/definitionNames.ts';

/** Maximum time (ms) for which an answer waits for the definitions. */
const patience = 1000;

type Needs = Pick<CompanyContext, 'settings' | 'upstream' | 'store' | 'clock'>;

/**
 * Returns what is to be said of a day on which a batch is to be processed. Reads definitions only if some scheme of its currencies
 * has something to say; says nothing if they cannot be read soon.
 */
async function dayNotesOn(
  context: Needs,
  batch: Pick<BatchRequest, 'fileFormatId' | 'subscriptionId'>,
  currencies: readonly string[],
  day: string,
): Promise<string[]> {
  const possible = schemes.filter(({ currency }) => currencies.includes(currency));
  if (dayNotes(possible, day).length === 0) return [];
  const means = await Promise.race([
    meansOf(context, batch).catch(() => ''),
    pause(context.clock, patience).then(() => ''),
  ]);
  return dayNotes(schemesOf(currencies, means), day);
}

/**
 * Returns what is to be said of a batch that is accepted, a sentence each (behaviour, section 9).
 */
async function notesOn(context: Needs, batch: BatchRequest): Promise<string[]> {
  const day = dayOf(batch.requestedExecutionDateTime);
  const currencies = currenciesOf(batch.payments);
  const addresses = addressNotes(batch, context.settings.providerCountry);
  return [...(await dayNotesOn(context, batch, currencies, day)), ...addresses];
}

/**
 * Adds its notes to the answer of a batch. Only after it was paid: what is read for them shows the service's clock, by which
 * a repeat is judged, and must not keep a payment.
 */
export async function withNotes<Answer extends object>(
  context: Needs,
  batch: BatchRequest,
  answer: Answer,
): Promise<Answer & { notes?: string[] }> {
  const notes = await notesOn(context, batch);
  return { ...answer, ...(notes.length > 0 && { notes }) };
}

/** What is read of a batch to say why it waits; the service may send it otherwise. */
const waiting = z.object({
  status: z.string(),
  requestedExecutionDateTime: z.iso.datetime({ offset: true }).transform(dayOf),
  fileFormatId: z.string().optional().catch(undefined),
  subscriptionId: z.string().optional().catch(undefined),
  payments: z.array(z.object({ instructedAmount: z.object({ currency: z.string() }) })),
});

/**
 * Returns why a batch waits that the service processes: its scheme does not process on its day, or today if that is later; a
 * sentence each.
 */
export async function waitNotes(context: Needs, batch: Batch): Promise<string[]> {
  const { data } = waiting.safeParse(batch);
  if (!data || !['Received', 'Processing'].includes(statusOf(data.status))) return [];
  const today = dayOf(new Date(context.upstream.serviceClock.now() ?? context.clock.now()).toISOString());
  const day = data.requestedExecutionDateTime > today ? data.requestedExecutionDateTime : today;
  const currencies = [...new Set(data.payments.map(({ instructedAmount }) => instructedAmount.currency))];
  return (await dayNotesOn(context, data, currencies, day)).filter((each) => each.includes('does not process'));
}
