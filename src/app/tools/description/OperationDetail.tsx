import { Box, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import type { Json } from '#contract/json.ts';
import { journeyOf, nameOf } from '#machines/journeys.ts';
import { stepsOf } from '#machines/operationSteps.ts';
import { sourceWords, type DescribedOperation, type Part, type Source } from '#rules/description.ts';
import { Code } from '#ui/Code.tsx';
import { Chip } from '#ui/Badge.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { CodeBlock, Stack } from '#ui/surfaces.tsx';
import { SendExample } from './SendExample.tsx';

const Table = chakra('table', {
  base: {
    width: 'full',
    fontSize: 'sm',
    '& th': { textAlign: 'start', fontWeight: 'medium', color: 'fg.muted' },
    '& th, & td': { py: '1', pe: '4', verticalAlign: 'top', overflowWrap: 'anywhere' },
    '& tbody tr': { borderTopWidth: '1px' },
  },
});

/** Whether a part is specified or our choice, and by which lines of the protocol's document. */
const SourceNote = (part: Source) => (
  <Text as="span" color="fg.muted" title={part.lines.length > 0 ? `wire ${part.lines.join(', ')}` : undefined}>
    {sourceWords(part)}
  </Text>
);

/** Parameters, or the members of a body. */
const Parts = ({ parts, what }: { parts: readonly Part[]; what: string }) => (
  <Box overflowX="auto" tabIndex={0} role="region" aria-label={what}>
    <Table>
      <thead>
        <tr>
          {['Name', 'Type', 'Source'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {parts.map((part, index) => (
          <tr key={index}>
            <td>
              <Code fontSize="sm">{part.place}</Code>{' '}
              <Text as="span" color="fg.muted">
                {[part.sent, part.isRequired ? 'required' : ''].filter(Boolean).join(', ')}
              </Text>
            </td>
            <td>
              {part.type}
              {part.says && <Text color="fg.muted">{part.says}</Text>}
            </td>
            <td>
              <SourceNote {...part} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Box>
);

const Title = chakra('h3', { base: { fontWeight: 'medium', fontSize: 'sm' } });

/** Large enough to be pressed where one link is below another. */
const target = { display: 'inline-flex', alignItems: 'center', minHeight: '6' } as const;

/** Links to the steps that send an operation; none if it is sent by programs only. */
function Steps({ id }: { id: string }) {
  const [first, ...others] = stepsOf(id);
  if (!first) return null;
  return (
    <Flex gap="3" wrap="wrap" align="baseline" fontSize="sm">
      <Link asChild css={target}>
        <RouterLink to={journeyOf(first).path} aria-label={`Open the step ${nameOf(first)}`}>
          Open the step
        </RouterLink>
      </Link>
      <Text as="span" color="fg.muted">
        {nameOf(first)}
      </Text>
      {others.map((step) => (
        <Link key={step} asChild css={target}>
          <RouterLink to={journeyOf(step).path}>{nameOf(step)}</RouterLink>
        </Link>
      ))}
    </Flex>
  );
}

/** A value of a body's shape, to copy. */
function Example({ value, what }: { value: Json; what: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <chakra.details fontSize="sm">
      <chakra.summary cursor="pointer" minHeight="6">
        Example
      </chakra.summary>
      <CopyButton text={text} what={what} />
      <CodeBlock aria-label={what} overflow="auto">
        {text}
      </CodeBlock>
    </chakra.details>
  );
}

/** Its address on this page, and its recorded calls. */
const Places = ({ id, isWebhook }: { id: string; isWebhook: boolean }) => (
  <Flex gap="3" wrap="wrap" fontSize="sm">
    <Link asChild css={target}>
      <RouterLink to={{ hash: id }}>Link to this {isWebhook ? 'webhook' : 'operation'}</RouterLink>
    </Link>
    <Link asChild css={target}>
      <RouterLink to={`/timeline?${new URLSearchParams({ show: 'all', reads: 'true', find: id }).toString()}`}>
        In the timeline
      </RouterLink>
    </Link>
  </Flex>
);

function Contents({ operation }: { operation: DescribedOperation }) {
  const { id, summary, parameters, body, answers, isWebhook } = operation;
  return (
    <Stack gap="4" px="5" pb="5">
      <Steps id={id} />
      <Places id={id} isWebhook={isWebhook} />
      {parameters.length > 0 && (
        <div>
          <Title>Parameters</Title>
          <Parts parts={parameters} what={`Parameters: ${summary}`} />
        </div>
      )}
      {body && (
        <div>
          <Title>
            Body <SourceNote {...body} />
          </Title>
          <Parts parts={body.parts} what={`Body: ${summary}`} />
        </div>
      )}
      {!isWebhook && <SendExample operation={operation} />}
      {answers.map((answer) => (
        <div key={answer.status}>
          <Title>
            Response {answer.status === 'default' ? 'otherwise' : answer.status}: {answer.says}{' '}
            <Text as="span" color="fg.muted">
              {answer.type}
            </Text>{' '}
            <SourceNote {...answer} />
          </Title>
          {answer.parts.length > 0 && (
            <>
              <Parts parts={answer.parts} what={`Response ${answer.status}: ${summary}`} />
              <Example value={answer.example} what={`Example of response ${answer.status}: ${summary}`} />
            </>
          )}
        </div>
      ))}
    </Stack>
  );
}

/** One operation in a line; unfolded, its parameters, bodies and responses. The address `#<its id>` opens it. */
export function OperationDetail({ operation }: { operation: DescribedOperation }) {
  const { id, method, address, summary, isWebhook } = operation;
  const { hash } = useLocation();
  const isNamed = hash === `#${id}`;
  const [isOpen, setOpen] = useState(isNamed);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isNamed) place.current?.scrollIntoView({ block: 'start' });
  }, [isNamed]);
  return (
    <chakra.details
      ref={place}
      id={id}
      open={isOpen}
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <chakra.summary display="flex" flexWrap="wrap" columnGap="4" alignItems="center" px="5" py="2.5" cursor="pointer">
        <Box as="span" flex="1 1 16rem">
          {summary}
        </Box>
        <Code fontSize="sm" overflowWrap="anywhere" flex="2 1 20rem">
          {isWebhook ? address : `${method} ${address}`}
        </Code>
        <Box as="span" flex="0 0 5.5rem">
          <Chip tone="idle">{sourceWords(operation)}</Chip>
        </Box>
      </chakra.summary>
      {isOpen && <Contents operation={operation} />}
    </chakra.details>
  );
}
