import { Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { ActorRefFrom } from 'xstate';
import type { Debtor } from '#contract/party.ts';
import { debtor } from '#machines/party/journeys.ts';
import type { debtorQueryMachine } from '#machines/party/query.machine.ts';
import { PartyQueryStep, type PartyWords } from './PartyQueryStep.tsx';

const words: PartyWords = {
  one: 'debtor',
  many: 'debtors',
  id: 'debtorId',
  name: 'debtorAccountname',
  under: 'currency',
  columns: {
    debtorAccountname: 'Account name',
    debtorAgentidentification: 'Sort code',
    debtorAccountidentification: 'Account number',
    debtorId: 'Debtor id',
  } satisfies Partial<Record<keyof Debtor, string>>,
  empty: {
    children: 'The provider has no debtors (bank accounts) of this subscription.',
    action: (
      <Link asChild>
        <RouterLink to={debtor.path}>{debtor.title}</RouterLink>
      </Link>
    ),
  },
};

/** The provider's debtors (behaviour, section 2: /debtorsquery). */
export function DebtorQueryStep({ actor }: { actor: ActorRefFrom<typeof debtorQueryMachine> }) {
  return <PartyQueryStep actor={actor} words={words} />;
}
