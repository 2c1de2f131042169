import type { StepTable } from '../step.ts';
import { CreditorQueryStep } from './CreditorQueryStep.tsx';
import { CreditorStep } from './CreditorStep.tsx';
import { DebtorQueryStep } from './DebtorQueryStep.tsx';
import { DebtorStep } from './DebtorStep.tsx';
import { party, query } from './previews.ts';

/** How the journeys of this area present themselves. */
export const partySteps = {
  debtor: {
    Step: DebtorStep,
    layout: 'form',
    another: {
      label: 'Create another',
      effect: 'Another debtor is one more bank account to pay from. This one stays.',
    },
    calls: ['putDebtor', 'sendMessageAgain'],
    preview: party('debtoraccountputs', 'debtorId'),
  },
  debtorQuery: {
    Step: DebtorQueryStep,
    layout: 'list',
    rows: { member: 'parties', id: 'debtorId', name: 'debtorAccountname', kind: 'Debtor' },
    calls: ['queryDebtors', 'deleteDebtor', 'sendMessageAgain'],
    preview: query('debtoraccountlistqueries', 'debtoraccountdeletes', 'debtorId'),
  },
  creditor: {
    Step: CreditorStep,
    layout: 'form',
    another: { label: 'Create another', effect: 'Another creditor is one more to be paid. This one stays.' },
    calls: ['putCreditor', 'sendMessageAgain'],
    preview: party('creditorputs', 'creditorId'),
  },
  creditorQuery: {
    Step: CreditorQueryStep,
    layout: 'list',
    rows: { member: 'parties', id: 'creditorId', name: 'creditorname', kind: 'Creditor' },
    calls: ['queryCreditors', 'deleteCreditor', 'sendMessageAgain'],
    preview: query('creditorlistqueries', 'creditordeletes', 'creditorId'),
  },
} as const satisfies StepTable;
