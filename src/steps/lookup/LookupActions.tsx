import { useSelector } from '@xstate/react';
import type { ActorRef, AnyMachineSnapshot } from 'xstate';
import { Bar } from '#ui/Bar.tsx';

/** The buttons of a lookup page: close it, or repeat the lookup, which the panel of a failure offers itself. */
export function LookupActions({ actor }: { actor: ActorRef<AnyMachineSnapshot, { type: 'retry' | 'form.cancel' }> }) {
  const failed = useSelector(actor, (snapshot) => snapshot.hasTag('failed'));
  return (
    <Bar
      leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
      secondary={failed ? [] : [{ label: 'Refresh', onPress: () => actor.send({ type: 'retry' }) }]}
    />
  );
}
