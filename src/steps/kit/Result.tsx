import { Box } from '@chakra-ui/react';
import { createContext, use, type ReactNode } from 'react';
import type { Made } from '#contract/facts.ts';
import { Card } from '#ui/surfaces.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { Details } from '#ui/Details.tsx';
import { Evidence } from './Evidence.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { pathOf } from '#rules/url.ts';

/** The status with which the service accepts a message; a webhook reports the outcome later. */
const accepted = 202;

/** The call that created a resource: "POST /path 201 in 42 ms". */
function By({ made: { method, url, status, ms } }: { made: Made }) {
  return (
    <>
      <Box as="code" title={url}>
        {method} {withShortIds(pathOf(url))}
      </Box>{' '}
      <Box as="span" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        {status} in {Math.round(ms)} ms
      </Box>
    </>
  );
}

export interface EnteredProps {
  made: Made;
  children: (entered: Readonly<Record<string, string>>) => ReactNode;
}

/** Reads the values entered, by label, from the call that created a resource; null without a timeline. */
const Entered = createContext<((props: EnteredProps) => ReactNode) | null>(null);
export const EnteredProvider = Entered.Provider;

/**
 * The resource that a step has created: the values entered, by label, its id and the call; for a message, also its
 * history. The page's heading has its name and time. Without `entered`, the values are read from the timeline.
 */
export function Result({ made, entered }: { made: Made; entered?: Readonly<Record<string, string>> }) {
  const read = use(Entered);
  const { id, status, interactionId } = made;
  const drawn = (known: Readonly<Record<string, string>>) => (
    <Card as="section" aria-label="Result" size="md" gap="4">
      <Details items={{ ...known, Id: <Id value={id} what="the id" whole />, Call: <By made={made} /> }} />
      {status === accepted && <Evidence of="message" id={interactionId} since={made.at} />}
    </Card>
  );
  return read && entered === undefined ? read({ made, children: drawn }) : drawn(entered ?? {});
}
