import { jsonIn } from '#contract/json.ts';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import type { Settings } from '#contract/settings.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { isAuthorised, isSubscriptionEnd, statusOf } from '#contract/status.ts';
import { subscriptionForm } from '#rules/field.ts';
import { endedBy, subscriptionWords } from '../names.ts';
import { approvalChart } from '../lib/approval.machine.ts';
import { describedGuard } from '../lib/describe.ts';

/** A row of the subscription list: the stored record, with its current state at the service. */
export interface SubscriptionRow extends SubscriptionRecord {
  providerName: string;
  /** The provider's first country; '' if the provider was not found. */
  country: string;
  /** The authorise link if it leads to a provider's pages; otherwise ''. */
  authorise: string;
  /** A link to any other page, which is shown but cannot be opened. */
  elsewhere: string;
  /** Whether the provider's page may be shown in a frame (capability IFramePermitted). */
  framed: boolean;
  /** Whether debtors, creditors and payments use this subscription. */
  current: boolean;
  /** When it was last read from the service (ISO time). */
  readAt: string;
  /**
   * Why it could not be read from the service when the list was opened; it then shows its last known state. '' if it
   * could.
   */
  unread: string;
  /** When the authorise link was issued (ISO time); '' if unknown. */
  issuedAt: string;
  /** The provider's rules for the subscription's properties. */
  rules: Rule[];
  /** The properties as stored by the service, a JSON string. */
  additionalData: string;
  /** The latest update that awaits the provider's answer; null if there is none. */
  pending: Message | null;
}

/** The status shown for a subscription that the service does not know. */
export const unknownStatus = 'Unknown to the service';

/** Statuses in which the provider has not decided yet (wire, section 10). */
const undecided: readonly string[] = ['Received', 'AwaitingAuthorisation', 'Pending'];
export const isDecided = ({ status }: SubscriptionRow): boolean => !undecided.includes(statusOf(status));

/** The page on which a person approves a subscription. */
export const subscriptionApproval = approvalChart<SubscriptionRow, SubscriptionRow>(isDecided);

/** Whether the subscription has ended permanently, so that another one may replace it. */
export const hasEnded = ({ status }: SubscriptionRow): boolean => isSubscriptionEnd(status) || status === unknownStatus;

/** Whether a row's status decides that it cannot be authorised. */
const isSettled = (row: SubscriptionRow): boolean => isAuthorised(row.status) || hasEnded(row);

/** Why a row cannot be authorised now; '' if it can (behaviour, section 4). */
export const authoriseBlocked = (row: SubscriptionRow): string => {
  if (isSettled(row)) return `It is ${row.status}`;
  if (row.authorise !== '') return '';
  return row.elsewhere !== ''
    ? `This link is not opened, because it does not lead to the provider’s pages: ${row.elsewhere}`
    : 'The provider has sent no link yet. Select “Refresh”';
};

/** What the list says in place of a row's button; '' where the status beside it is the reason. */
export const authoriseNote = (row: SubscriptionRow): string => (isSettled(row) ? '' : authoriseBlocked(row));

/** Why a row cannot be updated; '' if it can. */
export const updateBlocked = ({ status, rules }: SubscriptionRow): string => {
  if (status === unknownStatus) return 'The service does not know it';
  return subscriptionForm(rules).fields.length > 0 ? '' : 'Its provider has no fields to update';
};

/** Why a row cannot be suspended or unsuspended now; '' if it can (behaviour, section 4). */
export const suspendBlocked = ({ status }: SubscriptionRow): string =>
  isAuthorised(status) ? '' : 'Only when Authorised';

/** What the current subscription needs before it can pay: approval, or another one in its place. */
export interface Approval {
  row: SubscriptionRow;
  need: 'approve' | 'replace';
  title: string;
}

/** The provider's name within a sentence. */
export const nameOf = ({ providerName }: Pick<SubscriptionRow, 'providerName'>): string =>
  providerName || 'the provider';

/** What the current subscription needs; null if there is none, or if it is Authorised. */
export function approvalOf({ rows }: Pick<RowsState, 'rows'>): Approval | null {
  const row = rows.find(({ current }) => current);
  if (!row || isAuthorised(row.status)) return null;
  const provider = nameOf(row);
  return hasEnded(row)
    ? { row, need: 'replace', title: endedBy(row.status, provider) }
    : { row, need: 'approve', title: `Approve at ${provider}` };
}

/** The actions of a row. */
export type Act = 'select' | 'authorise' | 'update' | 'suspend';

/** The part of the list's context that concerns its rows. */
export interface RowsState {
  rows: SubscriptionRow[];
  /** The row that the last event named. */
  chosen: SubscriptionRow | null;
  /** The last action on that row; null if it was not completed. */
  act: Act | null;
}

/** The result of the last action in a sentence; '' if there was none. */
export function newsOf({ act, chosen }: Pick<RowsState, 'act' | 'chosen'>): string {
  if (!act || !chosen) return '';
  const { status, suspended } = chosen;
  const provider = nameOf(chosen);
  const news: Record<Act, string> = {
    select: `Debtors, creditors and payments now use ${provider}`,
    authorise: subscriptionWords(status, provider),
    update: `${provider} has accepted the update`,
    suspend: suspended ? 'Suspended by you. Unsuspend it to pay' : subscriptionWords(status, provider),
  };
  return news[act];
}

interface Args {
  context: RowsState;
  event: { type: string; id?: string };
}

/** The row that an event names; null if there is none. */
export const named = ({ context, event }: Args): SubscriptionRow | null =>
  context.rows.find(({ subscriptionId }) => subscriptionId === event.id) ?? null;

const permits = (words: string, isPermitted: (row: SubscriptionRow) => boolean) =>
  describedGuard(words, (args: Args): boolean => {
    const row = named(args);
    return row !== null && isPermitted(row);
  });

/** Guards: whether the row that an event names exists and permits the action. */
export const rowGuards = {
  exists: permits('the row is there', () => true),
  mayAuthorise: permits('the message requires authorisation', (row) => authoriseBlocked(row) === ''),
  mayUpdate: permits('its provider has rules for it', (row) => updateBlocked(row) === ''),
  maySuspend: permits('it is Authorised', (row) => suspendBlocked(row) === ''),
  isUpdating: permits('an update is pending', ({ pending }) => pending !== null),
};

/** The list with a row replaced by its newly read version. */
export const withRow = ({ rows }: RowsState, row: SubscriptionRow): Pick<RowsState, 'chosen' | 'rows'> => ({
  chosen: row,
  rows: rows.map((old) => (old.subscriptionId === row.subscriptionId ? row : old)),
});

/** The rows with the chosen one marked as current. */
export const withCurrent = ({ rows, chosen }: RowsState): Pick<RowsState, 'rows'> => ({
  rows: rows.map((row) => ({ ...row, current: row.subscriptionId === chosen?.subscriptionId })),
});

type Listed = Pick<Settings, 'subscriptions' | 'subscriptionId'>;

/** Whether the stored subscriptions have changed since they were `before`, into others than the rows show. */
export function differs(rows: readonly SubscriptionRow[], before: Listed, now: Listed): boolean {
  if (before.subscriptions === now.subscriptions && before.subscriptionId === now.subscriptionId) return false;
  return (jsonIn(now.subscriptions) as SubscriptionRecord[]).some(({ subscriptionId: id, status, suspended }) => {
    const row = rows.find(({ subscriptionId }) => subscriptionId === id);
    const isCurrent = id === now.subscriptionId;
    return !row || row.status !== status || row.suspended !== suspended || row.current !== isCurrent;
  }); // as the server wrote it
}
