import { Link, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { retryOf } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { PageHeading } from '../shell/PageHeading.tsx';
import { BatchesSection } from './BatchesSection.tsx';
import { ClockSection } from './ClockSection.tsx';
import { MagicSection } from './MagicSection.tsx';
import { ReceiverSection } from './ReceiverSection.tsx';
import { WebhooksSection } from './WebhooksSection.tsx';
import { EmptySection } from './EmptySection.tsx';
import { RehearsalsSection } from './RehearsalsSection.tsx';
import { RulesSection } from './RulesSection.tsx';
import { useLab, type LabActor } from './useLab.ts';
import { ReadinessSection } from './ReadinessSection.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The sections of the page, in order. */
const sections: readonly ((props: { actor: LabActor }) => ReactNode)[] = [
  RulesSection,
  RehearsalsSection,
  ClockSection,
  BatchesSection,
  WebhooksSection,
  ReceiverSection,
  MagicSection,
  EmptySection,
];

/** /sandbox: the fault lab of the user's sandbox. */
export function LabPage() {
  const actor = useLab();
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const isListed = useSelector(actor, (snapshot) => snapshot.hasTag('list'));
  const isAbsent = useSelector(actor, (snapshot) => snapshot.matches('absent'));
  const hasFailed = useSelector(actor, (snapshot) => snapshot.hasTag('failed'));
  const failure = useSelector(actor, ({ context }) => context.failure);
  return (
    <Stack gap="5">
      <div>
        <PageHeading>Fault lab</PageHeading>
        <Text color="fg.muted" maxWidth="measure">
          Use the fault lab to test how your integration handles failures. Rules, clock and second receiver affect every
          page and program that uses your sandbox. Scripts can set them over HTTP (docs/lab.md).
        </Text>
      </div>
      {isAbsent && <Text>{failure?.detail}</Text>}
      {hasFailed && failure && (
        <FailurePanel
          problem={failure}
          retry={retryOf(actor.getSnapshot(), failure)}
          onRetry={() => actor.send({ type: 'retry' })}
        />
      )}
      {isBusy && !isListed && <Skeleton lines={6} />}
      {isListed && sections.map((Each, index) => <Each key={index} actor={actor} />)}
      {isListed && <ReadinessSection />}
      <Text>
        These faults also affect your app:{' '}
        <Link asChild>
          <RouterLink to="/programs">point it here</RouterLink>
        </Link>
        .
      </Text>
    </Stack>
  );
}
