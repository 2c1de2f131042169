import { Button, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import { journeyOf, nameOf } from '#machines/journeys.ts';
import { counted } from '#rules/counted.ts';
import { Code } from '#ui/Code.tsx';
import { primaryMark } from '#ui/Bar.tsx';
import { FirstView } from '#ui/EmptyState.tsx';
import { FileButton } from '#ui/Field.tsx';
import { Way } from '#ui/Way.tsx';
import { Card, Stack } from '#ui/surfaces.tsx';
import { decodeText } from '#rules/decodeText.ts';
import { parseWalks, plain } from '#runner/file.ts';
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

/** What the sandbox runs with the examples of its rules. */
const sample: readonly Walk[] = [
  { ...plain('settings'), values: { providerCountry: 'GB', fileFormatCountry: 'GB' } },
  plain('organisation'),
  plain('company'),
];

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
  const run = (chosen: readonly Walk[]) => void play(actor, (to) => void navigate(to), chosen);
  return (
    <>
      <FirstView
        way={
          <Way
            label="A script opens each of its journeys, fills in its values and sends it."
            places={[{ title: 'Script' }, { title: 'Console', lines: sample.map(({ journey }) => nameOf(journey)) }]}
            legs={[{}]}
          />
        }
        says={
          facts?.environment === 'live'
            ? 'Payments move real money: the script has to name each total.'
            : 'A script holds journeys and their values.'
        }
      >
        <FileButton label="Open a script" accept="application/json,.json" onFile={(file) => void open(file)} />
        {facts?.environment === 'sandbox' && walks.length === 0 && (
          <Button variant="solid" {...primaryMark} onClick={() => run(sample)}>
            Run the sample
          </Button>
        )}
      </FirstView>
      {wrong && (
        <Text role="alert" color="failed" overflowWrap="anywhere">
          This script cannot be run. {wrong}
        </Text>
      )}
      {walks.length > 0 && (
        <Card size="md" maxWidth="measure">
          <WalkList walks={walks} label="Journeys of the script" />
          <Flex pt="3">
            <Button variant="solid" {...primaryMark} onClick={() => run(walks)}>
              Run {walks.length === 1 ? 'this journey' : `these ${walks.length} journeys`}
            </Button>
          </Flex>
        </Card>
      )}
    </>
  );
}

/** /run: runs scripts in the page. */
export function RunsPage() {
  return (
    <Stack gap="4">
      <ToolHeading path="/run" />
      <OpenFile />
      <Text color="fg.muted" maxWidth="measure">
        Without a browser:{' '}
        <Code fontSize="sm" overflowWrap="anywhere">
          npm run journey -- --values journeys.json
        </Code>
      </Text>
    </Stack>
  );
}
