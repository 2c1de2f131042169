import { type Row, rowsKind, type RowAct } from '#machines/lab/resources.ts';
import { operationsIn, type DescribedOperation } from '#rules/description.ts';
import { call } from '../client/client.ts';
import { resource } from './resource.ts';
import type { Drift, ListedDifference } from '#contract/description.ts';
import { faultOf, type DriftFault } from '#rules/driftFault.ts';
import { withLabEvent } from '../client/recordEvents.ts';
import { labNews } from './lab.ts';

export type OperationRow = DescribedOperation & Row;

/** The operations of the service, on which nothing is done. */
export const operationRows = resource({
  kind: { reads: 'at once' },
  read: async (_: null, signal: AbortSignal): Promise<readonly OperationRow[]> => {
    const document = await call('getDescription', { signal });
    return operationsIn(document).map((operation) => ({ ...operation, may: [] }));
  },
});

export type DifferenceRow = Row & ListedDifference & { fault: DriftFault };
/** The first row says what was compared. */
export type DriftRow = DifferenceRow | (Row & Omit<Drift, 'differences'>);

export const isDifference = (row: DriftRow): row is DifferenceRow => 'fault' in row;

/** One difference is known by what it says. */
const idOf = ({ call: name, path, expected, came }: ListedDifference): string =>
  JSON.stringify([name, path, expected, came]);

/** The differences in the timeline, or of one entry; each can be made a fault of the sandbox, if this console has one. */
export const differenceRows = (isSandbox: boolean, entry?: string) =>
  resource({
    kind: rowsKind,
    news: labNews,
    read: async (_: null, signal: AbortSignal): Promise<readonly DriftRow[]> => {
      const query = entry === undefined ? {} : { entry };
      const { differences, ...about } = (await call('getDrift', { query, signal })).data;
      const rows: DriftRow[] = differences.map((difference) => {
        const fault = faultOf(difference);
        return { ...difference, fault, id: idOf(difference), may: isSandbox && fault.rule ? ['fault'] : [] };
      });
      return [{ ...about, id: '', may: [] }, ...rows];
    },
    act: async ({ id }: RowAct) => {
      const [name = '', path = '', expected = '', came = ''] = JSON.parse(id) as string[]; // made by idOf
      const { rule, reason } = faultOf({ call: name, path, expected, came });
      if (!rule) throw new Error(reason);
      return (await withLabEvent(call('setFault', { body: rule }))).data;
    },
  });
