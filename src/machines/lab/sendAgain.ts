import type { TimelineEntry } from '#contract/timeline.ts';
import { notAgain, onlyReads, type AgainKey } from '#rules/replay.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

/** Sends a call again: the entry that it is chosen by, the call that belongs to it, and its key. */
export interface SendAgain {
  act: 'repeat';
  entryId: string;
  call: TimelineEntry;
  key: AgainKey;
  isLive: boolean;
}

/** Under a new key the sandbox executes the call again: the user is asked. */
export const sendAgainKind: ResourceKind<null, SendAgain> = {
  permits: ({ call, key, isLive }) => notAgain(call, key, isLive) === '',
  asks: ({ key }) => key === 'new',
  changesFacts: ({ call }) => !onlyReads(call),
};
