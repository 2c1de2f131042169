import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { Fragment, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ProgramValue } from '#contract/programShapes.ts';
import { secretIsSet } from '#contract/secrets.ts';
import type { ValueAct } from '#machines/lab/resources.ts';
import type { ResourceActor } from '#machines/lib/resource.ts';
import { counted } from '#rules/counted.ts';
import { retrying } from '#machines/lib/retry.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { Code } from '#ui/Code.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { environment } from '#app/effects/programs.ts';
import { Section } from './Section.tsx';

/** How long (ms) a revealed secret is shown. */
const revealTime = 20_000;

type Actor = ResourceActor<ProgramValue[], ValueAct, string>;

/** A sentence in which words between backticks are code. */
const Sentence = ({ text }: { text: string }) =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
    );

const Line = chakra('li', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
    columnGap: '6',
    rowGap: '1',
    py: '2.5',
    borderTopWidth: '1px',
    alignItems: 'center',
  },
});

/** Where a value goes, its variables, and the value; a secret is masked until it is `revealed`. */
function Value(props: { of: ProgramValue; revealed: string; hide: () => void; actor: Actor; isLive: boolean }) {
  const { of, revealed, hide, actor, isLive } = props;
  const { variables, says, value, secret } = of;
  const variable = variables[0] ?? '';
  const act = (name: ValueAct['act']) => ({ type: 'act', act: name, variable }) as const;
  const isThere = value !== '' && !(secret && isLive);
  return (
    <Line>
      <Box>
        <Text overflowWrap="anywhere">
          {variables.map((name, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <Code>{name}</Code>
            </Fragment>
          ))}
        </Text>
        <Text color="fg.muted" fontSize="sm">
          <Sentence text={says} />
        </Text>
      </Box>
      {isThere ? (
        <Flex gap="1" align="center" minWidth="0">
          <Box flex="1" minWidth="0">
            {value === secretIsSet && revealed === '' ? (
              <Text color="fg.muted">Masked</Text>
            ) : (
              <Code overflowWrap="anywhere">{revealed || value}</Code>
            )}
          </Box>
          {secret && revealed !== '' && (
            <Button size="sm" variant="ghost" onClick={hide} aria-label={`Hide ${variable}`}>
              Hide
            </Button>
          )}
          {secret && revealed === '' && (
            <ActButton size="sm" variant="ghost" actor={actor} act={act('reveal')} aria-label={`Reveal ${variable}`}>
              Reveal
            </ActButton>
          )}
          <ActButton size="sm" variant="ghost" actor={actor} act={act('copy')} aria-label={`Copy ${variable}`}>
            Copy
          </ActButton>
        </Flex>
      ) : (
        <Text color="fg.muted">{value === '' ? 'None yet' : 'Yours, from the registration'}</Text>
      )}
    </Line>
  );
}

/** What a program needs to call the service, value by value and as a file `.env`. */
export function ConnectProgram() {
  const { hash } = useLocation();
  const { actor, known, unread, done, result, refused, failure } = useResource(environment);
  const isLive = useFacts()?.environment === 'live';
  /** The act whose secret is not shown any more. */
  const [hidden, setHidden] = useState<typeof done>(null);
  const revealed = done?.act === 'reveal' && done !== hidden ? done.variable : '';
  const hide = () => setHidden(done);
  useEffect(() => {
    if (revealed === '') return undefined;
    const timer = setTimeout(() => setHidden(done), revealTime);
    return () => clearTimeout(timer);
  }, [done, revealed]);
  const problem = failure && refused ? failure : unread;
  return (
    <Section
      id="connect"
      title="Connect your program"
      says={`For .env in your program’s folder, which copied code reads.${isLive ? ' Fill in your own secrets.' : ''}`}
    >
      <Flex gap="3" align="center" wrap="wrap">
        <ActButton actor={actor} act={{ type: 'act', act: 'copy', variable: 'all' }}>
          Copy .env
        </ActButton>
        <Text role="status" color="done">
          {done?.act === 'copy' && `${done.variable === 'all' ? '.env' : done.variable} copied.`}
        </Text>
      </Flex>
      {problem && <FailurePanel problem={problem} {...retrying(actor, problem)} />}
      {known ? (
        <chakra.details open={hash === '#connect'}>
          <chakra.summary cursor="pointer" minHeight="6" fontSize="sm" mb="2">
            {counted(known.length, 'value')}, and where each goes
          </chakra.summary>
          <Stack as="ul" listStyleType="none">
            {known.map((value) => (
              <Value
                key={value.variables.join()}
                of={value}
                revealed={value.variables.includes(revealed) ? (result ?? '') : ''}
                hide={hide}
                actor={actor}
                isLive={isLive}
              />
            ))}
          </Stack>
        </chakra.details>
      ) : (
        <Skeleton lines={1} />
      )}
    </Section>
  );
}
