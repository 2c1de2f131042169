import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { createActor, type ActorRefFrom } from 'xstate';
import { labNews } from '#contract/constants.ts';
import { useFacts } from '../console/console.tsx';
import { subscribeToRecord } from '../api/recordEvents.ts';
import { lab } from '../effects/lab.ts';

export type LabActor = ActorRefFrom<typeof lab>;

interface Listening {
  send: (event: { type: 'facts.stale' }) => void;
}

/** Polling interval (ms) for a sandbox that does not notify the console of changes. */
const looks = 5000;

/**
 * Notifies an actor of changes in the lab. A hidden page receives no news, so it also does when the page becomes
 * visible again. A sandbox that is a separate process sends no news and is polled.
 */
export function useLabNews(actor: Listening): void {
  const isUntold = useFacts()?.sandbox?.isApart === true;
  useEffect(() => {
    const stale = () => actor.send({ type: 'facts.stale' });
    const onVisibility = () => document.visibilityState === 'visible' && stale();
    document.addEventListener('visibilitychange', onVisibility);
    const leave = subscribeToRecord(labNews, stale);
    const looking = isUntold ? setInterval(onVisibility, looks) : undefined;
    return () => {
      clearInterval(looking);
      document.removeEventListener('visibilitychange', onVisibility);
      leave();
    };
  }, [actor, isUntold]);
}

/** The lab's actor, and a function that starts it. */
const Lab = createContext<{ actor: LabActor; start: () => void } | null>(null);

/** Starts the lab's machine and keeps it up to date. */
function Running({ actor }: { actor: LabActor }) {
  useLabNews(actor);
  useEffect(() => void actor.start(), [actor]);
  return null;
}

/**
 * Runs the lab's machine once for everything within, so that the banner and the page of the lab show one reading. It starts
 * with the first component that uses it: a live service has no lab to read.
 */
export function LabProvider({ children }: { children: ReactNode }) {
  const [actor] = useState(() => createActor(lab));
  const [isUsed, setUsed] = useState(false);
  const value = useMemo(() => ({ actor, start: () => setUsed(true) }), [actor]);
  return (
    <Lab value={value}>
      {isUsed && <Running actor={actor} />}
      {children}
    </Lab>
  );
}

/** The lab's machine, kept up to date from the first use on. */
export function useLab(): LabActor {
  const shared = use(Lab);
  if (!shared) throw new Error('useLab needs a LabProvider around it');
  const { actor, start } = shared;
  useEffect(start, [start]);
  return actor;
}
