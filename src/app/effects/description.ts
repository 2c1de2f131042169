import { labRowsMachine, type LabRow } from '#machines/lab/labRows.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { operationsIn, type DescribedOperation } from '#rules/description.ts';
import { call } from '../api/client.ts';

export type OperationRow = DescribedOperation & LabRow;

/** The operations of the service, on which nothing is done. */
export const operationRows = provideEffects(labRowsMachine, {
  readRows: async (_, signal) => {
    const document = await call('getDescription', { signal });
    return operationsIn(document).map((operation) => ({ ...operation, may: [] }));
  },
  act: () => Promise.resolve(null),
});
