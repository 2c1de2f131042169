import { subjectHeader } from '#contract/constants.ts';
import { parse } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { subject } from '../user.ts';

/** What a follower is told. */
export interface Listener {
  /** The connection stands, for the first time or again: what passed before has to be read. */
  opened: () => void;
  heard: (entry: TimelineEntry) => void;
  /** The connection is gone; `closed` if the browser does not come again by itself. */
  lost: (closed: boolean) => void;
}

/** Adds the page's user to an address that the browser asks for by itself, without our headers. */
export function asUser(path: string): string {
  const user = subject();
  return user ? `${path}?${new URLSearchParams({ [subjectHeader]: user }).toString()}` : path;
}

/** Follows the timeline by server-sent events; returns what ends it. Where there is no EventSource nothing is followed. */
export function follow({ opened, heard, lost }: Listener): () => void {
  if (typeof EventSource === 'undefined') return () => undefined;
  const source = new EventSource(asUser('/api/timeline/events'));
  source.onopen = opened;
  source.addEventListener('entry', ({ data }: MessageEvent<string>) => heard(parse(data) as TimelineEntry)); // the contract's
  source.onerror = () => lost(source.readyState === EventSource.CLOSED);
  return () => source.close();
}
