import type { Row } from '#machines/lab/rows.ts';
import { operationsIn, type DescribedOperation } from '#rules/description.ts';
import { call } from '../client/client.ts';
import { resource } from './resource.ts';

export type OperationRow = DescribedOperation & Row;

/** The operations of the service, on which nothing is done. */
export const operationRows = resource({
  kind: { reads: 'at once' },
  read: async (_: null, signal: AbortSignal): Promise<readonly OperationRow[]> => {
    const document = await call('getDescription', { signal });
    return operationsIn(document).map((operation) => ({ ...operation, may: [] }));
  },
});
