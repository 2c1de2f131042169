import { debtor } from './debtor.journey.ts';
import { partyChart } from './party.chart.ts';

export const debtorMachine = partyChart({ id: debtor.id, requires: debtor.requires, apiPath: 'DebtorAccounts' });
