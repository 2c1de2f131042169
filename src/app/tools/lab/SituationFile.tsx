import { Button, Flex } from '@chakra-ui/react';
import { useCallback, useState } from 'react';
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
