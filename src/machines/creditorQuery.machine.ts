import type { Creditor } from '#contract/entities.ts';
import { creditorQuery } from './creditorQuery.journey.ts';
import { partyQueryChart } from './partyQuery.chart.ts';

export const creditorQueryMachine = partyQueryChart<Creditor>({
  id: creditorQuery.id,
  requires: creditorQuery.requires,
  idOf: ({ creditorId }) => creditorId,
});
