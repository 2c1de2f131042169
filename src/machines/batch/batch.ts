import type { Batch, BatchError, BatchRecord, StaysPaid } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { isBatchEnd } from '#contract/status.ts';

/** Whether the status of a batch, if it is the current one, or what came back of it differs from the facts. */
export function isNew(
  { settings, batchStatus }: Facts,
  batchId: string,
  { status, totals }: { status: string; totals?: BatchRecord['totals'] | undefined },
): boolean {
  if (batchId === settings.batchId && status !== batchStatus) return true;
  const record = recordsIn(settings.postedBatches).find((each) => each.batchId === batchId);
  return record !== undefined && record.totals?.returned !== totals?.returned;
}

/**
 * `link` leads to a provider's pages and may be opened; `elsewhere` leads to another page and is only shown. Missing
 * values are ''; the expiry is an ISO time.
 */
export interface AuthoriseLink {
  link: string;
  elsewhere: string;
  expiresAt: string;
}

/** A batch as read: status, errors, the link to its file; `raw` is what the service sent (behaviour, section 2). */
export interface BatchView {
  batch: Batch;
  paymentFile: string;
  errors: BatchError[];
  /** The known references of its payments, in the order sent. */
  references: string[];
  /** The end status that the service had said before; '' unless it now says one in progress. */
  ended: string;
  /** Why a batch in progress waits for another day, a sentence each. */
  waits: string[];
  /** Why invoices stay paid although the service reports a failure. */
  staysPaid: StaysPaid[];
  /** The link for a person's approval, if the service returns one. */
  authorise: AuthoriseLink;
  raw: unknown;
  /** When it was read (ISO time). */
  readAt: string;
}

/** Whether a batch, as last read, has reached an end status. */
export const hasEnded = (view: BatchView | null): boolean => isBatchEnd(view?.batch.status ?? '');

const recordsIn = (postedBatches: string) => JSON.parse(postedBatches) as BatchRecord[]; // the server assembles the list

/** The id of the current batch, else of the one posted last; '' if there is none. */
export const latestOf = ({ settings }: Facts): string =>
  settings.batchId || (recordsIn(settings.postedBatches).at(-1)?.batchId ?? '');

/** The batch's authorise link; its members are '' once the batch has ended. */
export const authoriseOf = (view: BatchView): AuthoriseLink =>
  hasEnded(view) ? { link: '', elsewhere: '', expiresAt: '' } : view.authorise;
