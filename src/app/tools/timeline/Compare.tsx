import { Box, chakra, Heading, Text } from '@chakra-ui/react';
import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';
import { aligned } from './difference.ts';
import { addressOf, statusLine, timeOf } from './format.ts';

const Line = chakra('td', {
  base: {
    width: '50%',
    px: '5',
    verticalAlign: 'top',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    fontFamily: 'mono',
    fontSize: 'sm',
    lineHeight: 'sm',
    '& + td': { borderInlineStartWidth: '1px' },
  },
});

const headersOf = ({ headers }: TimelineMessage): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join('\n');

const differs = (count: number): string =>
  count === 0 ? 'the same' : count === 1 ? '1 line differs' : `${count} lines differ`;

/** Two texts side by side; differences have a mark as well as a colour. */
export function Difference({ what, first, second }: { what: string; first: string; second: string }) {
  const lines = aligned(first, second);
  return (
    <>
      <Heading as="h3" size="sm" px="5" pt="3" pb="1">
        {what}: {differs(lines.filter(({ same }) => !same).length)}
      </Heading>
      <chakra.table width="full" aria-label={what} css={{ tableLayout: 'fixed' }}>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <Line bg={line.same || line.first === null ? undefined : 'failed.subtle'}>
                {line.same || line.first === null ? '  ' : <chakra.span aria-label="only left">− </chakra.span>}
                {line.first}
              </Line>
              <Line bg={line.same || line.second === null ? undefined : 'done.subtle'}>
                {line.same || line.second === null ? '  ' : <chakra.span aria-label="only right">+ </chakra.span>}
                {line.second}
              </Line>
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </>
  );
}

function Side({ entry }: { entry: TimelineEntry }) {
  return (
    <Text translate="no" fontFamily="mono" fontSize="sm" px="5" py="1.5" overflowWrap="anywhere">
      <chakra.span color="fg.muted">{timeOf(entry.at)}</chakra.span> {entry.method} {addressOf(entry)}{' '}
      {statusLine(entry)}
    </Text>
  );
}

/** Two entries side by side, their requests and responses aligned line by line. */
export function Compare({ first, second }: { first: TimelineEntry; second: TimelineEntry }) {
  return (
    <Box as="section" aria-label="Comparison" overflow="auto" minHeight="0" pb="4">
      <Box display="grid" gridTemplateColumns="1fr 1fr" borderBottomWidth="1px">
        <Side entry={first} />
        <Side entry={second} />
      </Box>
      <Difference what="Request body" first={first.request.body} second={second.request.body} />
      <Difference what="Response body" first={first.response.body} second={second.response.body} />
      <Difference what="Request headers" first={headersOf(first.request)} second={headersOf(second.request)} />
      <Difference what="Response headers" first={headersOf(first.response)} second={headersOf(second.response)} />
    </Box>
  );
}
