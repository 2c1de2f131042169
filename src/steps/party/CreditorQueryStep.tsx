import { Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { ActorRefFrom } from 'xstate';
import type { Creditor } from '#contract/party.ts';
import { creditor } from '#machines/party/journeys.ts';
import type { creditorQueryMachine } from '#machines/party/query.machine.ts';
import { PartyQueryStep, type PartyWords } from './PartyQueryStep.tsx';

const words: PartyWords = {
  one: 'creditor',
  many: 'creditors',
  id: 'creditorId',
  name: 'creditorname',
  under: 'creditorAddress3',
  columns: {
    creditorname: 'Payee name',
    creditorAgentidentification: 'Sort code',
    creditorAccountidentification: 'Account number',
    creditorId: 'Creditor id',
  } satisfies Partial<Record<keyof Creditor, string>>,
  empty: {
    children: 'The provider has no creditors of this subscription.',
    action: (
      <Link asChild>
        <RouterLink to={creditor.path}>{creditor.title}</RouterLink>
      </Link>
    ),
  },
};

/** The provider's creditors (behaviour, section 2: /creditorsquery). */
export function CreditorQueryStep({ actor }: { actor: ActorRefFrom<typeof creditorQueryMachine> }) {
  return <PartyQueryStep actor={actor} words={words} />;
}
