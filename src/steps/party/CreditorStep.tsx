import { creditorQuery } from '#machines/party/journeys.ts';
import { PartyStep, type PartyActor } from './PartyStep.tsx';

/** Creates a creditor: a payee (behaviour, section 2: /creditors). */
export function CreditorStep({ actor }: { actor: PartyActor }) {
  return <PartyStep actor={actor} submitLabel="Create creditor" one="creditor" listedIn={creditorQuery.title} />;
}
