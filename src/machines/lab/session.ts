import type { TimelineEntry } from '#contract/timeline.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

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
