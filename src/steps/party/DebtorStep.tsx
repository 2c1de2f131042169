import { debtorQuery } from '#machines/party/journeys.ts';
import { PartyStep, type PartyActor } from './PartyStep.tsx';

/** Creates a debtor: a bank account to pay from (behaviour, section 2: /debtors). */
export function DebtorStep({ actor }: { actor: PartyActor }) {
  return <PartyStep actor={actor} submitLabel="Create debtor" one="debtor" listedIn={debtorQuery.title} />;
}
