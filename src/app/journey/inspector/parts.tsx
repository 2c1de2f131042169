import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Code } from '#ui/Code.tsx';
import { Badge } from '#ui/Badge.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { Body, Headers } from './Message.tsx';
import type { ShownRequest } from './shownRequest.ts';

/** The first line of a tab: method and path on the left, `children` on the right. */
export function CallLine(props: { method: string; path: string; status?: ReactNode; children: ReactNode }) {
  const { method, path, status, children } = props;
  return (
    <Flex gap="2" align="baseline" wrap="wrap" px="5" py="3" borderBottomWidth="1px">
      {status}
      <chakra.span translate="no" fontFamily="mono" fontSize="xs" fontWeight="semibold" color="accent">
        {method}
      </chakra.span>
      <Code flex="1" minWidth="12rem" fontSize="sm" title={path}>
        {withShortIds(path)}
      </Code>
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

/** A request: its headers and its body. `of` names the journey that sends it. */
export function Request({ request, of, lit }: { request: ShownRequest; of: string; lit?: string | undefined }) {
  return (
    <>
      <Headers headers={request.headers} signed={request.baseString} />
      <Body message={request} what={`request body of ${of}`} lit={lit} />
    </>
  );
}
