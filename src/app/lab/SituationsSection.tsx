import { Button, Flex } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import { situations, type SituationId } from '#runner/situations.ts';
import { useActor } from '../console/console.tsx';
import { playSituation } from '../runs/rehearsals.ts';
import { Section } from './Section.tsx';

const situationIds = Object.keys(situations) as SituationId[]; // its own keys

/** Situations that one click establishes in the sandbox. */
export function SituationsSection() {
  const actor = useActor();
  const navigate = useNavigate();
  return (
    <Section
      id="situations"
      title="Put the sandbox into a situation"
      says="Runs the journeys of the page with example values in a new company, which is marked as a rehearsal and stays the current one. Active faults are stopped first. Settings become British and English, without the network login."
    >
      <Flex gap="2" wrap="wrap">
        {situationIds.map((id) => (
          <Button key={id} size="sm" onClick={() => void playSituation(actor, (to) => void navigate(to), id)}>
            {situations[id].name}
          </Button>
        ))}
      </Flex>
    </Section>
  );
}
