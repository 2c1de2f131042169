import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { header } from '#contract/requests/headers.ts';
import type { TimelineMessage } from '#contract/timeline.ts';
import { counted } from '#rules/counted.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Masked } from '#ui/Masked.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { parsedBody, sizeText } from './shownRequest.ts';

/** One side of an exchange, in the inspector and in the timeline: headers and body. */

/** The heading of a section of a tab. */
const Part = ({ children }: { children: string }) => (
  <chakra.h3 px="5" pt="3" fontSize="xs" lineHeight="1rem" fontWeight="medium" color="fg.muted">
    {children}
  </chakra.h3>
);

/** The text shown in place of missing content. */
export const Empty = ({ children }: { children: ReactNode }) => (
  <Box px="5" py="4" color="fg.muted" fontSize="sm" maxWidth="measure">
    {children}
  </Box>
);

/** The signature with its base string, initially collapsed; the key is never shown. */
function Signature({ signed }: { signed: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      HMAC-SHA1 of the base string{' '}
      <chakra.button
        type="button"
        color="accent"
        textDecoration="underline"
        cursor="pointer"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? 'hide' : 'show'}
      </chakra.button>
      {open && (
        <chakra.span display="block">
          <chakra.span display="block" color="fg.muted">
            {signed}
          </chakra.span>
          <CopyButton text={signed} what="base string" />
        </chakra.span>
      )}
    </>
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

function HeaderList({ headers, signed }: { headers: readonly (readonly [string, string])[]; signed: string }) {
  return (
    <chakra.dl translate="no" display="grid" rowGap="1" fontFamily="mono" fontSize="sm" lineHeight="1.25rem">
      {headers.map(([name, value]) => (
        // A value without the room of an id beside its name is below it.
        <Flex key={name} wrap="wrap" columnGap="3">
          <chakra.dt color="fg.muted" overflowWrap="anywhere" flex="0 0 180px">
            {name}
          </chakra.dt>
          <chakra.dd overflowWrap="anywhere" flex="1 1 18rem" minWidth="0">
            {name === header.signature && signed ? <Signature signed={signed} /> : <Masked text={value} />}
          </chakra.dd>
        </Flex>
      ))}
    </chakra.dl>
  );
}

const Summary = chakra('summary', { base: { cursor: 'pointer', minHeight: '6', color: 'fg.muted' } });

/**
 * Headers by name, folded unless `open`: those specific to the service first, the generic ones folded in any case. `signed` is the base
 * string shown below the signature, if it is known.
 */
export function Headers(props: Pick<TimelineMessage, 'headers'> & { signed?: string; open?: boolean }) {
  const { headers, signed = '', open = false } = props;
  const all = Object.entries(headers);
  const own = all.filter(([name]) => !usual.includes(name.toLowerCase()));
  const rest = all.filter(([name]) => usual.includes(name.toLowerCase()));
  if (all.length === 0) return null;
  return (
    <chakra.details px="5" pt="2" fontSize="sm" open={open}>
      <Summary>{counted(all.length, 'header')}</Summary>
      {own.length > 0 && <HeaderList headers={own} signed={signed} />}
      {rest.length > 0 && (
        <details>
          <Summary>{counted(rest.length, 'common header')}</Summary>
          <HeaderList headers={rest} signed={signed} />
        </details>
      )}
    </chakra.details>
  );
}

interface BodyProps {
  message: Pick<TimelineMessage, 'body' | 'truncated' | 'encoding'> & { bytes?: number };
  /** Names it for assistive technology, for example "request body of Create Company". */
  what: string;
  /** Dotted path of the highlighted line. */
  lit?: string | undefined;
}

/** A body: JSON as a collapsible, searchable tree, any other text unchanged. */
export function Body({ message: { body: text, bytes = 0, truncated, encoding }, what, lit }: BodyProps) {
  if (text === '') return <Empty>No body</Empty>;
  const body = parsedBody(text, truncated);
  return (
    <Box pt="3" pb="4">
      {'json' in body ? (
        <JsonView value={body.json} what={what} title="Body" lit={lit} />
      ) : (
        <>
          <Part>Body</Part>
          {encoding && <Empty>The body is no text: its bytes are shown in Base64.</Empty>}
          <Box px="5" pt="1">
            <CopyButton text={body.text} what={what} />
          </Box>
          <chakra.pre
            translate="no"
            px="5"
            py="2"
            fontSize="sm"
            lineHeight="1.375rem"
            whiteSpace="pre-wrap"
            overflowWrap="anywhere"
          >
            {body.text}
          </chakra.pre>
        </>
      )}
      {truncated && <Empty>Only the first part{bytes > 0 && ` of these ${sizeText(bytes)}`} was recorded.</Empty>}
    </Box>
  );
}
