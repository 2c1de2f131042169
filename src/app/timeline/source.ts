import { subjectHeader } from '#contract/constants.ts';
import { parse } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { subject } from '../user.ts';

/** Callbacks of a connection to the timeline. */
export interface Listener {
  /** The connection is open, for the first time or again: entries missed meanwhile have to be read. */
  opened: () => void;
  heard: (entry: TimelineEntry) => void;
  /** The connection is lost; `closed` if the browser does not reconnect by itself. */
  lost: (closed: boolean) => void;
}

/**
 * Adds the page's user as a parameter to a URL that the browser requests without our headers (EventSource, download).
 */
export function asUser(path: string): string {
  const user = subject();
  return user ? `${path}?${new URLSearchParams({ [subjectHeader]: user }).toString()}` : path;
}

/**
 * Subscribes to the timeline by server-sent events; returns the function that ends it. Does nothing where EventSource
 * is missing.
 */
export function follow({ opened, heard, lost }: Listener): () => void {
  if (typeof EventSource === 'undefined') return () => undefined;
  const source = new EventSource(asUser('/api/timeline/events'));
  source.onopen = opened;
  source.addEventListener('entry', ({ data }: MessageEvent<string>) => heard(parse(data) as TimelineEntry)); // the contract's
  source.onerror = () => lost(source.readyState === EventSource.CLOSED);
  return () => source.close();
}
