import { Text, Button, Flex } from '@chakra-ui/react';
import { useEffect, type ReactNode, useCallback, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { serverMeta } from '#app/client/serverMeta.ts';
import { retrying } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useResource } from '#app/console/useResource.ts';
import { lab } from '#app/effects/lab.ts';
import { labTabs } from '#app/frame/sandboxControls.ts';
import { CardSkeleton, ToolHeading } from '#app/frame/ToolHeading.tsx';
import { BatchesSection } from './BatchesSection.tsx';
import { ClockSection } from './ClockSection.tsx';
import { MagicSection } from './MagicSection.tsx';
import { ReceiverSection } from './ReceiverSection.tsx';
import { WebhooksSection } from './WebhooksSection.tsx';
import { EmptySection } from './EmptySection.tsx';
import { PracticeSection } from './PracticeSection.tsx';
import { RulesSection } from './RulesSection.tsx';
import { SituationsSection } from './SituationsSection.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Tabs } from '#ui/Tabs.tsx';
import { OpenSituation } from './OpenSituation.tsx';
import { SaveSituation } from './SaveSituation.tsx';
import { Section } from './Section.tsx';

/** Saves the sandbox, the companies, the clock, faults and timeline in one file, and opens such a file. */
export function SituationFile() {
  const [opens, setOpens] = useState(false);
  const close = useCallback(() => setOpens(false), []);
  return (
    <Section
      id="situation-file"
      title="Situation in a file"
      says="Saves the sandbox with its clock and faults, the companies of this console and the timeline, for this or another machine. The file has no keys: opening it creates new ones. The menu of the environment in the top bar also saves the step where you are."
    >
      <Flex gap="2" wrap="wrap">
        <Button asChild size="sm">
          <SaveSituation>Save situation</SaveSituation>
        </Button>
        <Button size="sm" onClick={() => setOpens(true)}>
          Open situation …
        </Button>
      </Flex>
      {opens && <OpenSituation onClose={close} />}
    </Section>
  );
}

type TabId = (typeof labTabs)[number]['id'];

/** The sections of each tab by their ids, in order. */
const sectionsOf: Readonly<Record<TabId, Readonly<Record<string, () => ReactNode>>>> = {
  practise: { practice: PracticeSection },
  faults: { 'lab-rules': RulesSection },
  clock: { 'lab-clock': ClockSection, 'lab-batches': BatchesSection, 'lab-empty': EmptySection },
  webhooks: { 'lab-webhooks': WebhooksSection, 'lab-receiver': ReceiverSection },
  magic: { 'lab-magic': MagicSection },
  'start-from': { situations: SituationsSection, 'situation-file': SituationFile },
};

/** The tab that the address names, by its own id or that of one of its sections; otherwise the first one. */
const tabAt = (hash: string): TabId =>
  (
    labTabs.find(({ id }) => hash === `#${id}` || Object.keys(sectionsOf[id]).some((each) => hash === `#${each}`)) ??
    labTabs[0]
  ).id;

/** What follows a list that is being read would be pushed down: it appears with the list. */
const waiting = '[role=status][aria-label=Loading]';
const ownWaits = { [`& > section:has(${waiting}) ~ section, & > section > ${waiting} ~ *`]: { display: 'none' } };

/** The tabs of the lab; the address holds which one is open. Until the lab has been read, the panel is a placeholder. */
function LabTabs({ isListed }: { isListed: boolean }) {
  const { hash } = useLocation();
  const navigate = useNavigate();
  return (
    <div>
      <Tabs
        label="Fault lab"
        flush
        open={tabAt(hash)}
        onOpen={(id) => void navigate({ hash: id }, { replace: true })}
        tabs={labTabs.map(({ id, label }) => ({
          id,
          label,
          content: (
            <Stack gap="5" pt="5" css={sectionsOf[id][hash.slice(1)] ? {} : ownWaits}>
              {isListed ? (
                Object.entries(sectionsOf[id]).map(([section, Each]) => <Each key={section} />)
              ) : (
                <CardSkeleton />
              )}
            </Stack>
          ),
        }))}
      />
    </div>
  );
}

/** /sandbox: the fault lab of the user's sandbox. */
export function LabPage() {
  const { actor, known, isReading, unread, failure } = useResource(lab);
  // What the banner has read may be old: not every call that matches a rule is news.
  useEffect(() => {
    if (actor.getSnapshot().matches({ known: 'shown' })) actor.send({ type: 'reading.stale' });
  }, [actor]);
  const isLive = serverMeta('environment') === 'live'; // without a lab, there are no tabs to wait for
  const problem = failure ?? unread;
  return (
    <Stack gap="5" width="full">
      <ToolHeading path="/sandbox" />
      {problem?.code === 'not-found' ? (
        <Text>{problem.detail}</Text>
      ) : (
        problem && <FailurePanel problem={problem} {...retrying(actor, problem)} />
      )}
      {(known || (isReading && !isLive)) && <LabTabs isListed={known !== null} />}
    </Stack>
  );
}
