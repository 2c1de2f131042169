import { creditor } from './creditor.journey.ts';
import { partyChart } from './party.chart.ts';

export const creditorMachine = partyChart({ id: creditor.id, requires: creditor.requires, apiPath: 'Creditors' });
