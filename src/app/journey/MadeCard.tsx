import type { Facts, Made, MadeKind } from '#contract/facts.ts';
import { journeyOf } from '#machines/journeys.ts';
import { toneOf } from '#ui/Badge.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { ResultCard } from '#ui/ResultCard.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { useWholeTimeline } from '../client/useTimeline.ts';
import { useConsole, useFacts } from '../console/ConsoleProvider.tsx';
import { makingOf } from './inspector/records.ts';
import { OfBatch, OfCreation, OfMessage, OfSubscription } from './History.tsx';
import { nounOf, resultSummary, resultTitle, statusIn, type MessageEnd } from './resultSummary.ts';
import { messageStatus } from './timelineEvents.ts';

/** The status with which the service accepts a message; a webhook reports the outcome later. */
const accepted = 202;

const endOf = (status: string): MessageEnd =>
  status === '' ? 'unknown' : toneOf(status) === 'failed' ? 'refused' : 'accepted';

/** What the timeline has about the creation of a record: the body that was sent, and the status of a message. */
export function useCreation({ interactionId, status }: Made) {
  const { entries, state } = useWholeTimeline({ interaction: interactionId, kind: 'service,webhook' });
  const reported = status === accepted ? messageStatus(entries) : '';
  return { sent: makingOf(entries, interactionId)?.request.body ?? '', reported, read: state !== 'loading' };
}

function HistoryOf({ kind, made }: { kind: MadeKind; made: Made }) {
  if (kind === 'batch') return <OfBatch id={made.id} since={made.at} ending="" />;
  if (kind === 'subscription') return <OfSubscription made={made} />;
  return made.status === accepted ? <OfMessage id={made.interactionId} since={made.at} /> : <OfCreation made={made} />;
}

function CardOf({ kind, made, facts }: { kind: MadeKind; made: Made; facts: Facts }) {
  const { sent, reported, read } = useCreation(made);
  const { title, under, status, values } = resultSummary(kind, made, facts, sent);
  const waits = made.status === accepted && read && reported === '' && status === '';
  const shown = status || reported || (waits ? 'Waiting' : '');
  const end = endOf(reported);
  return (
    <>
      <StepTitle
        text={title}
        status={shown}
        tone={facts.lost === kind ? 'failed' : end === 'accepted' ? 'done' : undefined}
        above={resultTitle(kind, end, statusIn(kind, made, facts))}
        introduction={under}
      />
      <ResultCard
        history={<HistoryOf kind={kind} made={made} />}
        values={{ ...values, [nounOf(kind)]: <Id value={made.id} what="the id" whole /> }}
      />
    </>
  );
}

/** What the open step has created. */
export function MadeCard({ made }: { made: Made }) {
  const facts = useFacts();
  const journey = useConsole(({ context }) => context.opening?.journey);
  const kind = journey && journeyOf(journey).resource;
  return facts && kind ? <CardOf kind={kind} made={made} facts={facts} /> : null;
}
