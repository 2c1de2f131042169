import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import { scenarios, type Scenario } from '#runner/scenarios.ts';
import { situations, type SituationId } from '#runner/situations.ts';
import { Badge } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { useActor } from '../console/console.tsx';
import { useOutcomes } from '../runs/outcomes.ts';
import { playScenario, playSituation } from '../runs/rehearsals.ts';
import { Section } from './Section.tsx';

const situationIds = Object.keys(situations) as SituationId[]; // its own keys

/** Situations that one click establishes in the sandbox, and scenarios that end with a check. */
export function RehearsalsSection() {
  const actor = useActor();
  const navigate = useNavigate();
  const outcomes = useOutcomes();
  const go = (address: string) => void navigate(address);
  const rehearse = (scenario: Scenario) => void playScenario(actor, go, scenario, () => '/sandbox');
  return (
    <Section
      id="rehearsals"
      title="Rehearsals"
      says="A rehearsal runs the journeys of the page with example values in a new company, which is marked as a rehearsal. Active faults are stopped first."
    >
      <Box>
        <Heading as="h3" size="sm" pb="2">
          Put the sandbox into a situation
        </Heading>
        <Text color="fg.muted" fontSize="sm" pb="2">
          The new company stays the current one. Settings become British and English, without the network login.
        </Text>
        <Flex gap="2" wrap="wrap">
          {situationIds.map((id) => (
            <Button key={id} size="sm" onClick={() => void playSituation(actor, go, id)}>
              {situations[id].name}
            </Button>
          ))}
        </Flex>
      </Box>
      <Box>
        <Heading as="h3" size="sm" pb="2">
          Rehearse a scenario
        </Heading>
        <Text color="fg.muted" fontSize="sm" pb="3">
          Afterwards your company is the current one again, with your settings.
        </Text>
        <chakra.ul listStyleType="none" display="grid" gap="3">
          {scenarios.map((scenario) => {
            const outcome = outcomes[scenario.id];
            return (
              <chakra.li
                key={scenario.id}
                display="grid"
                gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' }}
                gap="3"
                alignItems="start"
              >
                <Box>
                  <Text fontWeight="medium">{scenario.name}</Text>
                  <Text color="fg.muted" fontSize="sm" maxWidth="measure">
                    {scenario.shows}
                  </Text>
                  {outcome && (
                    <Text fontSize="sm">
                      <Badge tone={outcome.because ? 'failed' : 'done'}>{outcome.because ? 'Failed' : 'Passed'}</Badge>{' '}
                      {outcome.because && `${outcome.because}, `}
                      <Time at={outcome.at} />
                    </Text>
                  )}
                </Box>
                <Button size="sm" aria-label={`Rehearse: ${scenario.name}`} onClick={() => rehearse(scenario)}>
                  Rehearse
                </Button>
              </chakra.li>
            );
          })}
        </chakra.ul>
      </Box>
    </Section>
  );
}
