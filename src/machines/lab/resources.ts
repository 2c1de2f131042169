import type { ProgramValue, ProgramVerdict } from '#contract/programShapes.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { Answer } from '#contract/shapes.ts';
import type { SituationOwner } from '#contract/situation.ts';
import type { TestRunner } from '#contract/exports.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { notAgain, notTested, onlyReads, type Repeat } from '#rules/replay.ts';
import type { Act, ResourceKind } from '../lib/resource.machine.ts';

/** A row of a list, and the names of the acts that it currently permits. */
export interface Row {
  id: string;
  may: readonly string[];
}

/** An act on one row, or with `ids` on several. */
export interface RowAct extends Act {
  id: string;
  ids?: readonly string[];
}

/** A list such as the lab's batches or webhooks, and the acts on its rows. */
export const rowsKind: ResourceKind<readonly Row[], RowAct> = {
  reads: 'at once',
  permits: ({ id, ids = [id], act }, rows) =>
    ids.length > 0 && ids.every((each) => (rows ?? []).some((row) => row.id === each && row.may.includes(act))),
  repeats: (act, last) => act.id === last.id && act.act === last.act,
};

/** Sends a recorded call again. */
export interface SendAgain extends Repeat {
  act: 'repeat';
}

/** The page's call that an entry belongs to; null if none is stored. */
export interface StoredCall {
  call: TimelineEntry | null;
}

/** Under a new key the sandbox executes the call again: the user is asked. */
export const sendAgainKind: ResourceKind<StoredCall, SendAgain> = {
  reads: 'at once',
  permits: (repeat) => notAgain(repeat) === '',
  asks: ({ key }) => key === 'new',
  changesFacts: ({ call }) => !onlyReads(call),
};

/** Makes a test of a recorded write. */
export interface MakeTest {
  act: 'make';
  entry: TimelineEntry;
  runner: TestRunner;
  isLive: boolean;
}

export const testKind: ResourceKind<null, MakeTest> = {
  permits: ({ entry, isLive }) => notTested(entry, isLive) === '',
  repeats: (act, last) => act.runner === last.runner,
};

/** A recorded session that was opened from a file. */
export interface Session {
  name: string;
  /** Newest first. */
  entries: readonly TimelineEntry[];
  /** What of the file is not shown, one sentence each. */
  left: readonly string[];
}

/** A recorded session from a HAR file, shown in place of the timeline of a sandbox and only to be read. */
export const sessionKind: ResourceKind<Session, never> = { reads: 'chosen' };

/** What opening a file would do: the companies that it has, and those of the console that it would end. */
export interface CheckedSituation {
  file: File;
  /** An ISO time. */
  savedAt: string;
  opens: readonly SituationOwner[];
  ends: readonly SituationOwner[];
}

/** What an opened file leads to: its page, the companies that ended, and what could not be set again, one sentence each. */
export interface OpenedSituation {
  step: string;
  ended: readonly SituationOwner[];
  notes: readonly string[];
}

/** Opens the file that was checked. */
export interface OpenAct {
  act: 'open';
  file: File | null;
}

/** Whether no company ended, and everything was set again: then there is nothing to say. */
export const isComplete = ({ ended, notes }: OpenedSituation): boolean => ended.length + notes.length === 0;

/**
 * A situation file, which is checked once it is chosen, and opened in the sandbox. What was begun is not dismissed: the
 * page would go on to show what the sandbox no longer has.
 */
export const situationKind: ResourceKind<CheckedSituation, OpenAct> = {
  reads: 'chosen',
  permits: ({ file }, checked) => file !== null && file === checked?.file,
  changesFacts: () => true,
};

export type WebhookPage = Answer<'listWebhooks'>;

/** Marks the webhooks with these ids as read. */
export interface MarkAsRead {
  act: 'mark';
  ids: readonly string[];
}

/** Unread webhooks, newest first, one page at a time, until they are marked as read. */
export const unreadKind: ResourceKind<WebhookPage, MarkAsRead> = { reads: 'at once' };

/** Reveals or copies the value of a variable; 'all' copies the file with each. */
export interface ValueAct {
  act: 'reveal' | 'copy';
  variable: string;
}

/** What a program needs to call the service: its secrets are masked until one is asked for. */
export const environmentKind: ResourceKind<readonly ProgramValue[], ValueAct> = {
  reads: 'at once',
  permits: ({ act, variable }, values) =>
    act !== 'reveal' ||
    (values ?? []).some(({ variables, value }) => variables.includes(variable) && value === secretIsSet),
  repeats: (act, last) => act.act === last.act && act.variable === last.variable,
};

/** The verdict, and when a webhook was first answered by the program's own receiver; '' if none was. */
export type FollowedVerdict = ProgramVerdict & { webhookAt: string };

/** The verdict of the latest verification of a program. */
export const verdictKind: ResourceKind<FollowedVerdict, never> = { reads: 'at once' };
