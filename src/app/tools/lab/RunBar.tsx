import { Box, Button, Flex, Link, Text } from '@chakra-ui/react';
import { useEffect } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import { nameOf } from '#machines/journeys.ts';
import { useActor } from '#app/console/ConsoleProvider.tsx';
import { isUnderWay, play, stop } from './playRun.ts';
import { savePlaying, usePlaying, type Playing } from '#app/console/runStorage.ts';

type Rehearsal = NonNullable<Playing['rehearsal']>;

/** A rehearsal in a sentence. */
function rehearsed({ name, right, journey }: Rehearsal, { state, says }: Playing, goesOn: boolean): string {
  if (state === 'done') return `${name}: ${right}`;
  if (state === 'failed') return `${name} has failed: ${says}`;
  if (!goesOn || state === 'stopped') return `${name} was stopped.${says && ` ${says}.`}`;
  return `${name}: ${journey ? nameOf(journey) : 'starting'} …`;
}

/** The state of the run in a sentence. */
function sentence(playing: Playing, goesOn: boolean): string {
  const { walks, at, state, says, rehearsal } = playing;
  if (rehearsal) return rehearsed(rehearsal, playing, goesOn);
  const title = walks[at] ? nameOf(walks[at].journey) : '';
  const where = `journey ${at + 1} of ${walks.length}, ${title}`;
  if (state === 'done') return walks.length === 1 ? 'The journey is done.' : `All ${walks.length} journeys are done.`;
  if (state === 'failed') return `The run has failed at ${where}: ${says}`;
  if (!goesOn || state === 'stopped') return `The run has stopped at ${where}.${says && ` ${says}.`}`;
  return `Running ${where}.${says && ` ${says}.`}`;
}

/** How long (ms) the notice of a run that is done stays: what it has made stands on the pages. */
const doneFor = 8000;

/** How far a run of known journeys has come: one segment for each. */
const Progress = ({ walks, at, state }: Playing) => (
  <Flex gap="3px" mt="1.5" aria-hidden="true">
    {walks.map((_, index) => (
      <Box
        key={index}
        flex="1"
        height="1"
        borderRadius="2px"
        borderWidth="1px"
        borderColor="transparent"
        bg={index < at || state === 'done' ? 'done' : index === at && state === 'running' ? 'waiting' : 'bg.muted'}
      />
    ))}
  </Flex>
);

/** Shows on every page the progress of the run, with buttons to stop or continue it. */
export function RunBar() {
  const playing = usePlaying();
  const actor = useActor();
  const navigate = useNavigate();
  const isDone = playing?.state === 'done';
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => savePlaying(null), doneFor);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (!playing) return null;
  const { walks, at, state, rehearsal } = playing;
  const goesOn = state === 'running' && isUnderWay();
  const mayGoOn = !rehearsal && !goesOn && !isDone;
  return (
    <Box role="region" aria-label={rehearsal ? 'Rehearsal' : 'Script run'} data-notice fontSize="sm">
      <Flex align="center" gap="2">
        <Text role="status" flex="1" minWidth="0" overflowWrap="anywhere">
          {sentence(playing, goesOn)}{' '}
          <Link asChild>
            {rehearsal ? (
              <RouterLink to="/sandbox">All failures</RouterLink>
            ) : (
              <RouterLink to="/run">Show journeys</RouterLink>
            )}
          </Link>
        </Text>
        {goesOn && (
          <Button size="sm" onClick={stop}>
            Stop the run
          </Button>
        )}
        {mayGoOn && (
          <Button size="sm" onClick={() => void play(actor, (to) => void navigate(to), walks, at)}>
            Continue
          </Button>
        )}
        {!goesOn && (
          <Button size="sm" variant="ghost" onClick={() => savePlaying(null)}>
            Dismiss
          </Button>
        )}
      </Flex>
      {walks.length > 1 && <Progress {...playing} />}
    </Box>
  );
}
