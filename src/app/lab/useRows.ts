import { useActorRef, useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { LabRow, labRowsMachine } from '#machines/lab/labRows.machine.ts';
import { useLabNews } from './useLab.tsx';

export type RowsActor = ActorRefFrom<typeof labRowsMachine>;

/**
 * Runs the machine of a list of the lab while a component is mounted, and keeps it up to date. `Row` is the type of the
 * rows that its effect returns; `isListed` is whether there is a reading of them.
 */
export function useRows<Row extends LabRow>(machine: typeof labRowsMachine) {
  const actor = useActorRef(machine);
  useLabNews(actor);
  const rows = useSelector(actor, ({ context }) => context.rows) as readonly Row[]; // of the machine's own effect
  const isListed = useSelector(actor, (snapshot) => snapshot.hasTag('list'));
  return { actor, isListed, rows };
}
