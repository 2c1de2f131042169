import { z } from 'zod';
import type { Batch } from '#contract/batch.ts';
import { controlCalls, type ControlAnswer } from '#contract/controlCalls.ts';
import { dayOf } from '#contract/executionDate.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { statusOf } from '#contract/status.ts';
import { isProcessingDay, schemes, type Scheme } from '#rules/bankingDays.ts';
import { addressNotes, currenciesOf, dayNotes, schemesOf } from '#rules/batchNotes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { pause } from '#server/clock.ts';
import { meansOf } from '#server/companies/definitionNames.ts';

/** Maximum time (ms) for which an answer waits for the definitions. */
const patience = 1000;

/** Resolves with what is read soon; otherwise with `unread`. */
const soon = <T>({ clock }: CompanyContext, reading: Promise<T>, unread: T): Promise<T> =>
  Promise.race([reading.catch(() => unread), pause(clock, patience).then(() => unread)]);

/**
 * Returns the schemes of a batch's payments of which there is something to say on a day. Reads definitions only if there is for
 * some scheme of its currencies; none if they cannot be read soon.
 */
async function schemesToNote(
  context: CompanyContext,
  batch: Pick<BatchRequest, 'fileFormatId' | 'subscriptionId'>,
  currencies: readonly string[],
  day: string,
): Promise<Scheme[]> {
  const possible = schemes.filter(({ currency }) => currencies.includes(currency));
  if (dayNotes(possible, day).length === 0) return [];
  return schemesOf(currencies, await soon(context, meansOf(context, batch), ''));
}

/**
 * Adds to the answer of a batch what is to be said of it, a sentence each (behaviour, section 9). Only after it was paid: what
 * is read for that shows the service's clock, by which a repeat is judged, and must not keep a payment.
 */
export async function withNotes<Answer extends object>(
  context: CompanyContext,
  batch: BatchRequest,
  answer: Answer,
): Promise<Answer & { notes?: string[] }> {
  const day = dayOf(batch.requestedExecutionDateTime);
  const ofDay = dayNotes(await schemesToNote(context, batch, currenciesOf(batch.payments), day), day);
  const notes = [...ofDay, ...addressNotes(batch, context.settings.providerCountry)];
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

/** Whether the service processes on the days of the schemes only, as any does but a sandbox that is set otherwise. */
async function keepsDays({ config, upstream }: CompanyContext): Promise<boolean> {
  if (!config.upstream.lab) return true;
  const { everyDay } = (await upstream.lab('GET', controlCalls.readClock.path)) as ControlAnswer<'readClock'>; // as it declares
  return everyDay !== true;
}

/**
 * Returns why a batch waits that the service processes: its scheme does not process on its day, or today if that is later; a
 * sentence each. None for a sandbox that processes on every day, or does not tell soon.
 */
export async function waitNotes(context: CompanyContext, batch: Batch): Promise<string[]> {
  const { data } = waiting.safeParse(batch);
  if (!data || !['Received', 'Processing'].includes(statusOf(data.status))) return [];
  const today = dayOf(new Date(context.upstream.serviceClock.now() ?? context.clock.now()).toISOString());
  const day = data.requestedExecutionDateTime > today ? data.requestedExecutionDateTime : today;
  const currencies = [...new Set(data.payments.map(({ instructedAmount }) => instructedAmount.currency))];
  const noted = await schemesToNote(context, data, currencies, day);
  const closed = noted.filter((scheme) => !isProcessingDay(scheme, day));
  return closed.length > 0 && (await soon(context, keepsDays(context), false)) ? dayNotes(closed, day) : [];
}
