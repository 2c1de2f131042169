import { Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { retryOf } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Eyebrow, PageHeading } from '../page/PageHeading.tsx';
import { BatchesSection } from './BatchesSection.tsx';
import { ClockSection } from './ClockSection.tsx';
import { MagicSection } from './MagicSection.tsx';
import { ReceiverSection } from './ReceiverSection.tsx';
import { WebhooksSection } from './WebhooksSection.tsx';
import { EmptySection } from './EmptySection.tsx';
import { KeepForms } from './keptForms.tsx';
import { PracticeSection } from './PracticeSection.tsx';
import { RulesSection } from './RulesSection.tsx';
import { useLab, type LabActor } from './useLab.tsx';
import { SituationFile } from './SituationFile.tsx';
import { SituationsSection } from './SituationsSection.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Tabs } from '#ui/Tabs.tsx';

interface LabTab {
  id: string;
  label: string;
  /** The sections by their ids, in order. */
  sections: Readonly<Record<string, (props: { actor: LabActor }) => ReactNode>>;
}

const tabs: readonly LabTab[] = [
  { id: 'practise', label: 'Practise', sections: { practice: PracticeSection } },
  { id: 'faults', label: 'Faults', sections: { 'lab-rules': RulesSection } },
  {
    id: 'clock',
    label: 'Clock',
    sections: { 'lab-clock': ClockSection, 'lab-batches': BatchesSection, 'lab-empty': EmptySection },
  },
  { id: 'webhooks', label: 'Webhooks', sections: { 'lab-webhooks': WebhooksSection, 'lab-receiver': ReceiverSection } },
  { id: 'magic', label: 'Magic values', sections: { 'lab-magic': MagicSection } },
  {
    id: 'start-from',
    label: 'Start from',
    sections: { situations: SituationsSection, 'situation-file': SituationFile },
  },
];

/** The tab that the address names, by its own id or that of one of its sections; otherwise the first one. */
const tabAt = (hash: string): LabTab =>
  tabs.find(({ id, sections }) => hash === `#${id}` || Object.keys(sections).some((each) => hash === `#${each}`)) ??
  tabs[0]!; // there are some

/** The tabs of the lab; the address holds which one is open. */
function LabTabs({ actor }: { actor: LabActor }) {
  const { hash } = useLocation();
  const navigate = useNavigate();
  return (
    <div>
      <Tabs
        label="Fault lab"
        flush
        open={tabAt(hash).id}
        onOpen={(id) => void navigate({ hash: id }, { replace: true })}
        tabs={tabs.map(({ id, label, sections }) => ({
          ...{ id, label },
          content: (
            <Stack gap="5" pt="5">
              {Object.entries(sections).map(([section, Each]) => (
                <Each key={section} actor={actor} />
              ))}
            </Stack>
          ),
        }))}
      />
    </div>
  );
}

/** /sandbox: the fault lab of the user's sandbox. */
export function LabPage() {
  const actor = useLab();
  // What the banner has read may be old: not every call that matches a rule is news.
  useEffect(() => actor.send({ type: 'facts.stale' }), [actor]);
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const isListed = useSelector(actor, (snapshot) => snapshot.hasTag('list'));
  const isAbsent = useSelector(actor, (snapshot) => snapshot.matches('absent'));
  const hasFailed = useSelector(actor, (snapshot) => snapshot.hasTag('failed'));
  const failure = useSelector(actor, ({ context }) => context.failure);
  return (
    <Stack gap="5" width="full">
      <div>
        <Eyebrow>Tools</Eyebrow>
        <PageHeading>Fault lab</PageHeading>
        <Text color="fg.muted" maxWidth="measure">
          Make the sandbox fail the way real services do, for every page and program that uses it.
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
      {isListed && (
        <KeepForms>
          <LabTabs actor={actor} />
        </KeepForms>
      )}
    </Stack>
  );
}
