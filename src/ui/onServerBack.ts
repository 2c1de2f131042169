import { useEffect, useRef, useState } from 'react';
import type { Problem } from '#contract/problem.ts';

/** Interval (ms) between checks whether the console works again. */
const interval = 2000;
/** Longest wait (ms) for the answer to one check. */
const limit = 10_000;

/**
 * Whether a read failed because the console or its store was temporarily unavailable. Writes are excluded: the user
 * must retry them.
 */
export const isAway = ({ code, status, outcome }: Problem): boolean =>
  outcome === undefined && (code === 'console-unreachable' || (code === 'store-failed' && status === 503));

/** Shown for such a read. */
export const autoRetryText = 'This page continues automatically once the console works again.';

/** Whether the console's server responds and its store works; the payments service may be unavailable. */
async function works(): Promise<boolean> {
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(limit) });
    return ((await answer.json()) as { store?: boolean }).store === true; // not JSON if a proxy responds
  } catch {
    return false;
  }
}

/** Calls `run` once the console works again, as far as the page can tell. Returns a function that cancels it. */
export function onServerBack(run: () => void): () => void {
  let cancelled = false;
  const check = async () => {
    const isBack = document.visibilityState !== 'hidden' && (await works());
    if (cancelled) return;
    if (isBack) run();
    else timer = setTimeout(() => void check(), interval);
  };
  let timer = setTimeout(() => void check(), interval);
  const checkNow = () => {
    clearTimeout(timer);
    void check();
  };
  window.addEventListener('online', checkNow);
  return () => {
    cancelled = true;
    clearTimeout(timer);
    window.removeEventListener('online', checkNow);
  };
}

/** Whether a write failed because the console's server could not be reached; only the user may send it again. */
const isAwayForWrite = ({ code, outcome }: Problem): boolean => code === 'console-unreachable' && outcome !== undefined;

/** Whether the console works again after a write could not reach it. */
export function useIsBack(problem: Problem): boolean {
  const [back, setBack] = useState<Problem>();
  useEffect(() => (isAwayForWrite(problem) ? onServerBack(() => setBack(problem)) : undefined), [problem]);
  return back === problem;
}

/** Calls `again` once the console works again, if the problem is a read that failed because it was unavailable. */
export function useOnServerBack(problem: Problem | null, again: (() => void) | undefined): void {
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  const waits = again !== undefined && problem !== null && isAway(problem);
  useEffect(() => (waits ? onServerBack(() => latest.current?.()) : undefined), [waits, problem]);
}
