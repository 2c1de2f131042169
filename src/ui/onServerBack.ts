import { useEffect, useState } from 'react';
import type { Problem } from '#contract/problem.ts';
import type { Recovery } from '#rules/repetition.ts';

/** Interval (ms) between checks whether the cause of a failure is gone. */
const interval = 2000;
/** Longest wait (ms) for the answer to one check. */
const limit = 10_000;
/** Interval (ms) between repeats of reads that fail although all that was checked works. */
const pace = 30_000;

/**
 * Whether the console's server responds and its store works; for `service`, whether that responds as well, undefined
 * until the server knows.
 */
async function works(what: Recovery['what']): Promise<boolean | undefined> {
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(limit) });
    const found = (await answer.json()) as { store?: boolean; upstream?: boolean }; // not JSON if a proxy responds
    if (found.store !== true) return false;
    return what === 'console' || found.upstream;
  } catch {
    return false;
  }
}

/** When a paced read was last repeated, in this page (ms of the steady clock). */
let repeatedAt = -Infinity;

/**
 * Calls `run` once the console works, or console and service, as far as the page can tell. `paced`: if they work from
 * the first check, at most once in half a minute. Returns a function that cancels it.
 */
export function onServerBack(run: () => void, what: Recovery['what'] = 'console', paced = false): () => void {
  let cancelled = false;
  let wasDown = !paced;
  const check = async () => {
    const isSeen = document.visibilityState !== 'hidden';
    const isBack = isSeen ? await works(what) : undefined;
    if (cancelled) return;
    const now = performance.now();
    wasDown ||= isBack === false;
    if (!isBack || !(wasDown || now - repeatedAt >= pace)) timer = setTimeout(() => void check(), interval);
    else {
      if (paced) repeatedAt = now;
      run();
    }
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

/** What a write could not reach; undefined if it was reached. Only the user may send it again. */
function unreached({ code, outcome }: Problem): Recovery['what'] | undefined {
  if (code === 'console-unreachable' && outcome !== undefined) return 'console';
  return code === 'upstream-unreachable' && outcome === 'not-sent' ? 'service' : undefined;
}

/** Whether what a write could not reach works again. */
export function useIsBack(problem: Problem): boolean {
  const [back, setBack] = useState<Problem>();
  useEffect(() => {
    const what = unreached(problem);
    return what && onServerBack(() => setBack(problem), what);
  }, [problem]);
  return back === problem;
}
