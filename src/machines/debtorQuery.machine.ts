import type { Debtor } from '#contract/entities.ts';
import { debtorQuery } from './debtorQuery.journey.ts';
import { partyQueryChart } from './partyQuery.chart.ts';

export const debtorQueryMachine = partyQueryChart<Debtor>({
  id: debtorQuery.id,
  requires: debtorQuery.requires,
  idOf: ({ debtorId }) => debtorId,
});
