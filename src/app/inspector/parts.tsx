import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { header } from '#contract/requests/endpoints.ts';
import { Badge } from '#ui/Badge.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { parsedBody, headerText, type ShownRequest } from './shownRequest.ts';

/** The first line of a tab: method and path on the left, `children` on the right. */
export function CallLine(props: { method: string; path: string; status?: ReactNode; children: ReactNode }) {
  const { method, path, status, children } = props;
  return (
    <Flex gap="2" align="baseline" wrap="wrap" px="5" py="3" borderBottomWidth="1px">
      {status}
      <chakra.span fontFamily="mono" fontSize="xs" fontWeight="semibold" color="accent">
        {method}
      </chakra.span>
      <chakra.code flex="1" minWidth="12rem" fontSize="sm" title={path}>
        {withShortIds(path)}
      </chakra.code>
      <chakra.span fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
        {children}
      </chakra.span>
    </Flex>
  );
}

/** An HTTP status; 0 means that there was no answer. */
export const HttpStatus = ({ status }: { status: number }) => (
  <Badge tone={status >= 200 && status < 400 ? 'done' : 'failed'}>{status || 'No response'}</Badge>
);

/** The heading of a section of a tab. */
export const Part = ({ children }: { children: string }) => (
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

/** Headers by name; `signed` is the base string shown below the signature, if it is known. */
export function Headers({ headers, signed = '' }: { headers: Readonly<Record<string, string>>; signed?: string }) {
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 2fr) minmax(0, 3fr)', xl: '180px minmax(0, 1fr)' }}
      columnGap="3"
      rowGap="0.5"
      px="5"
      pt="2"
      pb="3"
      fontFamily="mono"
      fontSize="sm"
      lineHeight="1.25rem"
    >
      {Object.entries(headers).map(([name, value]) => (
        <Box key={name} display="contents">
          <chakra.dt color="fg.muted" overflowWrap="anywhere">
            {name}
          </chakra.dt>
          <chakra.dd overflowWrap="anywhere">
            {name === header.signature && signed ? <Signature signed={signed} /> : headerText(value)}
          </chakra.dd>
        </Box>
      ))}
    </chakra.dl>
  );
}

interface BodyProps {
  text: string;
  /** Names it for assistive technology, for example "request body of Create Company". */
  what: string;
  /** Dotted path of the highlighted line. */
  lit?: string | undefined;
  /** Set if the record contains only the beginning of the body. */
  truncated: true | undefined;
}

/** A body: JSON as a collapsible, searchable tree, any other text unchanged. */
export function Body({ text, what, lit, truncated }: BodyProps) {
  if (text === '') return <Empty>No body</Empty>;
  const body = parsedBody(text);
  return (
    <Box pt="3" pb="4">
      {'json' in body ? (
        <JsonView value={body.json} what={what} title="Body" lit={lit} />
      ) : (
        <>
          <Part>Body</Part>
          <chakra.pre px="5" py="2" fontSize="sm" lineHeight="1.375rem" whiteSpace="pre-wrap" overflowWrap="anywhere">
            {body.text}
          </chakra.pre>
        </>
      )}
      {truncated && <Empty>Only the first part was recorded.</Empty>}
    </Box>
  );
}

/** A request: its headers and its body. `of` names the journey that sends it. */
export function Request({ request, of, lit }: { request: ShownRequest; of: string; lit?: string | undefined }) {
  return (
    <>
      <Part>Headers</Part>
      <Headers headers={request.headers} signed={request.baseString} />
      <Body text={request.body} what={`request body of ${of}`} lit={lit} truncated={request.truncated} />
    </>
  );
}
