import { Box, Button, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import { journeyOf, nameOf } from '#machines/journeys.ts';
import { counted } from '#rules/counted.ts';
import { Code } from '#ui/Code.tsx';
import { FieldLabel, FieldRoot, FileInput } from '#ui/Field.tsx';
import { Card, Stack } from '#ui/surfaces.tsx';
import { decodeText } from '#rules/decodeText.ts';
import { parseWalks } from '#runner/file.ts';
import type { Walk } from '#runner/actions.ts';
import { useActor, useFacts } from '#app/console/ConsoleProvider.tsx';
import { ToolHeading } from '#app/frame/ToolHeading.tsx';
import { play } from './playRun.ts';

/** The values and choices of a journey, in words. */
function givenIn({ values, choices }: Walk): string {
  const chosen = Object.entries(choices).map(([name, choice]) => `${name}: ${String(choice)}`);
  const fields = Object.keys(values).length;
  return [...(fields > 0 ? [counted(fields, 'value')] : []), ...chosen].join(', ');
}

function WalkList({ walks, label }: { walks: readonly Walk[]; label: string }) {
  return (
    <chakra.ol aria-label={label} ps="6" listStyleType="decimal" overflowWrap="anywhere">
      {walks.map((walk, index) => {
        const given = givenIn(walk);
        return (
          <li key={index}>
            <Link asChild>
              <RouterLink to={journeyOf(walk.journey).path}>{nameOf(walk.journey)}</RouterLink>
            </Link>
            {given && (
              <chakra.span color="fg.muted" fontSize="sm">
                {' '}
                {given}
              </chakra.span>
            )}
          </li>
        );
      })}
    </chakra.ol>
  );
}

/** Opens a file and runs it in the page. */
function OpenFile() {
  const facts = useFacts();
  const actor = useActor();
  const navigate = useNavigate();
  const [walks, setWalks] = useState<readonly Walk[]>([]);
  const [wrong, setWrong] = useState('');
  const open = async (file: File) => {
    try {
      setWalks(parseWalks(decodeText(new Uint8Array(await file.arrayBuffer()), 'The file')));
      setWrong('');
    } catch (error) {
      setWalks([]);
      setWrong(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Card size="lg">
      <Heading as="h2" size="lg">
        Run a script
      </Heading>
      <Text color="fg.muted" maxWidth="measure" pb="3">
        Opens each journey, fills in the values of the script and sends it. You log in and approve on the provider’s
        page yourself.
        {facts?.environment === 'live' && ' Payments move real money: the script has to name each total.'}
      </Text>
      <FieldRoot>
        <FieldLabel>Script</FieldLabel>
        <FileInput accept="application/json,.json" onFile={(file) => void open(file)} />
      </FieldRoot>
      {wrong && (
        <Text role="alert" color="failed" pt="3" overflowWrap="anywhere">
          This script cannot be run. {wrong}
        </Text>
      )}
      {walks.length > 0 && (
        <Box pt="3">
          <WalkList walks={walks} label="Journeys of the script" />
          <Flex pt="3">
            <Button variant="solid" onClick={() => void play(actor, (to) => void navigate(to), walks)}>
              Run {walks.length === 1 ? 'this journey' : `these ${walks.length} journeys`}
            </Button>
          </Flex>
        </Box>
      )}
    </Card>
  );
}

/** /run: runs scripts in the page. */
export function RunsPage() {
  return (
    <Stack gap="4">
      <ToolHeading path="/run">
        Run it here, or without a browser by{' '}
        <Code fontSize="sm" overflowWrap="anywhere">
          npm run journey -- --values journeys.json
        </Code>
      </ToolHeading>
      <OpenFile />
    </Stack>
  );
}
