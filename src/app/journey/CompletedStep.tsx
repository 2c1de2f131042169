import { Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Facts, MadeKind } from '#contract/facts.ts';
import { isMadeMeanwhile, leadsTo, showsEarlier } from '#machines/console.shown.ts';
import { addressOf, journeyOf, madeBy, nameOf, type JourneyId } from '#machines/journeys.ts';
import { isCreated } from '#machines/lib/beside.ts';
import { outcomeNow } from '#machines/outcome.ts';
import { requirement } from '#machines/requirements.ts';
import { latestIn } from '#rules/latest.ts';
import { withShortIds } from '#rules/shortId.ts';
import { Bar } from '#ui/Bar.tsx';
import { Callout, Stack } from '#ui/surfaces.tsx';
import { useConsole, useFacts, useSend } from '../console/ConsoleProvider.tsx';
import { MadeCard } from './MadeCard.tsx';
import { PreviousResult } from './PreviousResult.tsx';

/** The names of records that are not their ids. */
const nouns: Partial<Record<MadeKind, string>> = { dataset: 'data set' };

/** What another tab or a program has created while the form was open. */
function Meanwhile({ kind, facts }: { kind: MadeKind; facts: Facts }) {
  const id = isCreated(kind) ? latestIn[kind](facts) : '';
  return (
    <Callout role="alert" tone="waiting" size="sm">
      <Text>
        {withShortIds(
          `Another tab or program has created ${nouns[kind] ?? kind} ${id} meanwhile. This form has created nothing.`,
        )}
      </Text>
    </Callout>
  );
}

/** The current record of the step; in words where the call that created it is unknown. */
function Current({ id, kind, facts }: { id: JourneyId; kind: MadeKind; facts: Facts }) {
  const made = madeBy(id, facts);
  const [provided] = journeyOf(id).provides;
  if (made) return <MadeCard made={made} />;
  return (
    <>
      <Heading as="h2">Current {nouns[kind] ?? kind}</Heading>
      {provided && <Text>{withShortIds(requirement(provided).statusText(facts))}</Text>}
    </>
  );
}

/**
 * For a step that was already done, shows its result and offers the form as a secondary action; once the user asks for
 * the form, shows the last result above it, unless that has failed. Otherwise renders `children`, the step.
 */
export function CompletedStep(props: {
  id: JourneyId;
  /** The step shows its form. */
  form: boolean;
  children: ReactNode;
}) {
  const { id, form, children } = props;
  const send = useSend();
  const facts = useFacts();
  const shown = useConsole(showsEarlier);
  const meanwhile = useConsole(isMadeMeanwhile);
  const next = useConsole(leadsTo);
  const { another: choice, resource: kind } = journeyOf(id);
  if (!facts || !choice || !kind) return children;
  const made = madeBy(id, facts);
  if (!shown)
    return (
      <>
        {form && made && !choice.asks && outcomeNow(id, facts) !== 'failed' && <PreviousResult id={id} made={made} />}
        {children}
      </>
    );
  return (
    <Stack gap="4" maxWidth="form">
      {meanwhile && <Meanwhile kind={kind} facts={facts} />}
      <Current id={id} kind={kind} facts={facts} />
      {choice.effect && (
        <Text color="fg.muted" fontSize="sm">
          {choice.effect}
        </Text>
      )}
      <Bar
        leave={[{ label: 'Close', onPress: () => send({ type: 'result.close' }) }]}
        secondary={[{ label: choice.label, onPress: () => send({ type: 'another.start' }) }]}
        primary={next && { label: `Next: ${nameOf(next)}`, to: addressOf(next, { guided: true }) }}
      />
    </Stack>
  );
}
