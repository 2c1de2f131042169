import { useActorRef } from '@xstate/react';
import { useEffect } from 'react';
import type { ActorRefFrom } from 'xstate';
import { labNews } from '#contract/lab.ts';
import { useFacts } from '../console.tsx';
import { hear } from '../news.ts';
import { lab } from '../ports/lab.ts';

export type LabActor = ActorRefFrom<typeof lab>;

interface Listening {
  send: (event: { type: 'facts.stale' }) => void;
}

/** How long (ms) the lab's news waits for the stream of the timeline, which most pages open, before it opens its own. */
const patience = 2000;
/** How often (ms) a sandbox is asked that does not tell of changes by itself. */
const looks = 5000;

/**
 * Tells an actor when the lab has changed, and when the page is looked at again, as a hidden one hears nothing. Of a sandbox
 * that does not tell it may have changed at any time.
 */
export function useLabNews(actor: Listening): void {
  const isUntold = useFacts()?.sandbox?.isApart === true;
  useEffect(() => {
    const stale = () => actor.send({ type: 'facts.stale' });
    const onVisibility = () => document.visibilityState === 'visible' && stale();
    document.addEventListener('visibilitychange', onVisibility);
    const leave = hear(labNews, stale, patience);
    const looking = isUntold ? setInterval(onVisibility, looks) : undefined;
    return () => {
      clearInterval(looking);
      document.removeEventListener('visibilitychange', onVisibility);
      leave();
    };
  }, [actor, isUntold]);
}

/** Runs the lab's machine as long as a component is there, and keeps it up to date. */
export function useLab(): LabActor {
  const actor = useActorRef(lab);
  useLabNews(actor);
  return actor;
}
