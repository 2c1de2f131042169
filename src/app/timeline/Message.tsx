import { Box, chakra, Text } from '@chakra-ui/react';
import { jsonIn } from '#contract/json.ts';
import type { TimelineMessage } from '#contract/timeline.ts';
import { counted } from '#rules/counted.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { sizeText } from '../inspector/shownRequest.ts';
import { Stack } from '#ui/surfaces.tsx';

export function Body({ message, what }: { message: TimelineMessage; what: string }) {
  const { body, bytes, truncated, encoding } = message;
  if (bytes === 0) return <Text color="fg.muted">No body</Text>;
  const json = jsonIn(body);
  return (
    <Stack gap="2">
      {json === undefined ? (
        <>
          {truncated && <Text color="fg.muted">Only the first part of these {sizeText(bytes)} was recorded.</Text>}
          {encoding && <Text color="fg.muted">The body is no text: its bytes are shown in Base64.</Text>}
          <div>
            <CopyButton text={body} what={what} />
          </div>
          <Box as="pre" fontSize="sm" lineHeight="sm" whiteSpace="pre-wrap">
            {body}
          </Box>
        </>
      ) : (
        <JsonView value={json} what={what} />
      )}
    </Stack>
  );
}

/** Generic HTTP headers, which are not specific to the service. */
const usual: readonly string[] = [
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'sec-fetch-mode',
  'transfer-encoding',
  'user-agent',
  'vary',
];

function HeaderList({ headers }: { headers: readonly (readonly [string, string])[] }) {
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="minmax(7rem, max-content) minmax(0, 1fr)"
      columnGap="3"
      fontFamily="mono"
      fontSize="sm"
      lineHeight="sm"
      overflowWrap="anywhere"
    >
      {headers.map(([name, value]) => (
        <Box key={name} display="contents">
          <chakra.dt color="fg.muted">{name}</chakra.dt>
          <dd>{value}</dd>
        </Box>
      ))}
    </chakra.dl>
  );
}

/** Headers specific to the service first; the generic ones are collapsed. */
export function Headers({ headers }: Pick<TimelineMessage, 'headers'>) {
  const all = Object.entries(headers);
  const own = all.filter(([name]) => !usual.includes(name));
  const rest = all.filter(([name]) => usual.includes(name));
  return (
    <div>
      {own.length > 0 && <HeaderList headers={own} />}
      {rest.length > 0 && (
        <chakra.details fontSize="sm">
          <chakra.summary cursor="pointer" minHeight="6" color="fg.muted">
            {counted(rest.length, 'common header')}
          </chakra.summary>
          <HeaderList headers={rest} />
        </chakra.details>
      )}
    </div>
  );
}
