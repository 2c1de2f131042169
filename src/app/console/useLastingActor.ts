import { useEffect, useState } from 'react';
import { createActor, type AnyActorRef, type ActorRefFrom, type AnyStateMachine } from 'xstate';
import { useSend } from './console.tsx';

/**
 * Runs a machine whose writes outlast their component: it is not stopped with it, and the facts are read again after each
 * write, also after the last one.
 */
export function useLastingActor<Machine extends AnyStateMachine>(machine: Machine): ActorRefFrom<Machine> {
  const send = useSend();
  const [actor] = useState(() => createActor(machine).start() as ActorRefFrom<Machine>);
  useEffect(() => {
    const running: AnyActorRef = actor;
    const changing = running.on('facts.changed', () => send({ type: 'facts.stale' }));
    return () => {
      if (!(running.getSnapshot() as { hasTag: (tag: string) => boolean }).hasTag('busy')) changing.unsubscribe(); // of a machine
    };
  }, [actor, send]);
  return actor;
}
