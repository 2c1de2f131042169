import type { BatchRecord } from '#contract/batch.ts';
import type { Facts, Made, MadeKind } from '#contract/facts.ts';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';

/** What a result page says first. */
export interface ResultSummary {
  /** The record's name; for a batch its amount, for a subscription its provider. */
  title: string;
  /** The record's status at the service; '' if it has none. */
  status: string;
  /** When the status was last read or reported by a webhook (ISO time); '' if unknown. */
  updatedAt: string;
  /** What was done, as the start of a sentence: "Created". */
  act: string;
}

const acts: Partial<Record<MadeKind, string>> = { accessToken: 'Obtained', batch: 'Submitted' };

const nouns: Partial<Record<MadeKind, string>> = { accessToken: 'Access token', dataset: 'Data set' };

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The batch of a payment's result; undefined if the settings do not list it. */
function batchOf({ settings }: Facts, id: string): BatchRecord | undefined {
  const batches = JSON.parse(settings.postedBatches) as BatchRecord[]; // the server assembles it by this shape
  return batches.find(({ batchId }) => batchId === id);
}

/** The summary of the record that a journey has created. */
export function resultSummary(id: JourneyId, made: Made, facts: Facts): ResultSummary {
  const { resource: kind } = journeyOf(id);
  const act = (kind && acts[kind]) ?? 'Created';
  const unnamed = kind ? `${nouns[kind] ?? capitalised(kind)} ${act.toLowerCase()}` : act;
  const summary = { title: made.name || unnamed, status: '', updatedAt: '', act };
  if (kind === 'subscription')
    return { ...summary, title: facts.provider?.name ?? summary.title, status: facts.subscription?.status ?? '' };
  const batch = kind === 'batch' ? batchOf(facts, made.id) : undefined;
  return batch
    ? { ...summary, title: groupedAmounts(batch.amount), status: batch.status, updatedAt: batch.readAt ?? '' }
    : summary;
}
