import { creditorQuery } from '#machines/party/journeys.ts';
import { PartyStep, type PartyActor } from './PartyStep.tsx';

/** Somebody to be paid (behaviour, section 2: /creditors). */
export default function CreditorStep({ actor }: { actor: PartyActor }) {
  return <PartyStep actor={actor} submitLabel="Create creditor" one="creditor" listedIn={creditorQuery.title} />;
}
