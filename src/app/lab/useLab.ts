import { useActorRef } from '@xstate/react';
import { useEffect } from 'react';
import type { ActorRefFrom } from 'xstate';
import { labNews } from '#contract/lab.ts';
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

/** Runs the lab's machine while a component is mounted, and keeps it up to date. */
export function useLab(): LabActor {
  const actor = useActorRef(lab);
  useLabNews(actor);
  return actor;
}
