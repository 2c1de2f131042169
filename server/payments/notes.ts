import { dayOf } from '#contract/executionDate.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { schemes } from '#rules/bankingDays.ts';
import { addressNotes, currenciesOf, dayNotes, schemesOf } from '#rules/batchNotes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { pause } from '#server/clock.ts';
import { meansOf } from '#server/companies/definitionNames.ts';

/** Maximum time (ms) for which an answer waits for the definitions. */
const patience = 1000;

type Needs = Pick<CompanyContext, 'settings' | 'upstream' | 'store' | 'clock'>;

/**
 * Returns what is to be said of a batch that is accepted, a sentence each (behaviour, section 9). Reads
 * definitions only for a day of which some scheme of its currencies has something to say; says nothing of the day if they
 * cannot be read soon.
 */
async function notesOn(context: Needs, batch: BatchRequest): Promise<string[]> {
  const day = dayOf(batch.requestedExecutionDateTime);
  const currencies = currenciesOf(batch.payments);
  const addresses = addressNotes(batch, context.settings.providerCountry);
  const possible = schemes.filter(({ currency }) => currencies.includes(currency));
  if (dayNotes(possible, day).length === 0) return addresses;
  const means = await Promise.race([
    meansOf(context, batch).catch(() => ''),
    pause(context.clock, patience).then(() => ''),
  ]);
  return [...dayNotes(schemesOf(currencies, means), day), ...addresses];
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
