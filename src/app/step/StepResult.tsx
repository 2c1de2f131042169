import type { ReactNode } from 'react';
import type { BatchRecord } from '#contract/batch.ts';
import type { Facts, Made } from '#contract/facts.ts';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { groupedAmounts } from '#rules/batch.ts';
import { Result } from '#steps/kit/Result.tsx';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';

const status = (word: string): ReactNode => word && <Badge tone={toneOf(word)}>{word}</Badge>;

/** Further values known about a journey's result, by label. */
function moreOf(id: JourneyId, facts: Facts): Record<string, ReactNode> {
  const kind = journeyOf(id).resource;
  if (kind === 'subscription')
    return { Provider: facts.provider?.name ?? '', Status: status(facts.subscription?.status ?? '') };
  if (kind !== 'batch') return {};
  const batches = JSON.parse(facts.settings.postedBatches) as BatchRecord[]; // the server assembles it by this shape
  const batch = batches.find(({ batchId }) => batchId === facts.made.batch?.id);
  if (!batch) return {};
  const { amount, readAt } = batch;
  return {
    Amount: groupedAmounts(amount),
    Status: status(batch.status),
    Updated: readAt === undefined ? '' : <Time key={readAt} at={readAt} />,
  };
}

/** A journey's result with everything known about it. */
export function StepResult({ id, made, facts }: { id: JourneyId; made: Made; facts: Facts }) {
  return <Result made={made} more={moreOf(id, facts)} />;
}
