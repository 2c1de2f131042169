import type { Act, ResourceKind } from '../lib/resource.machine.ts';

/** A row of a list, and the names of the acts that it currently permits. */
export interface Row {
  id: string;
  may: readonly string[];
}

/** An act on one row. */
export interface RowAct extends Act {
  id: string;
}

/** A list such as the lab's batches or webhooks, and the acts on its rows. */
export const rowsKind: ResourceKind<readonly Row[], RowAct> = {
  reads: 'at once',
  permits: ({ id, act }, rows) => (rows ?? []).some((row) => row.id === id && row.may.includes(act)),
  repeats: (act, last) => act.id === last.id && act.act === last.act,
};
