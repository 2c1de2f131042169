import { Button, Flex } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import { situations, type SituationId } from '#runner/situations.ts';
import { useActor } from '#app/console/ConsoleProvider.tsx';
import { playSituation } from './rehearsals.ts';
import { Section } from './Section.tsx';

const situationIds = Object.keys(situations) as SituationId[]; // its own keys

/** Situations that one click establishes in the sandbox. */
export function SituationsSection() {
  const actor = useActor();
  const navigate = useNavigate();
  return (
    <Section
      id="situations"
      tabbed
      title="Start from"
      says="Brings a new rehearsal company into this state and makes it the current one. Stops active faults. Countries that are not chosen yet become British."
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
