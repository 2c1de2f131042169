import { Box, chakra, Flex, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { own } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { journeyOf, journeys, nameOf } from '#machines/journeys.ts';
import { shortId } from '#rules/shortId.ts';
import { sizeText } from '#app/journey/inspector/shownRequest.ts';
import { Body, Headers } from '#app/journey/inspector/Message.tsx';
import { faultTitle } from '#rules/lab.ts';
import { faultOf } from '#rules/timeline.ts';
import { EntryDifferences } from './EntryDifferences.tsx';
import { durationOf, purposeOf, statusLine, toneOf } from './format.ts';
import { Code } from '#ui/Code.tsx';
import { Stack } from '#ui/surfaces.tsx';

function Pane({ label, first, children }: { label: string; first: ReactNode; children: ReactNode }) {
  return (
    <Stack
      as="section"
      aria-label={label}
      overflow="auto"
      minHeight="0"
      py="3"
      gap="0"
      alignContent="start"
      css={{ '& + &': { borderInlineStartWidth: { md: '1px' }, borderTopWidth: { base: '1px', md: '0' } } }}
    >
      <Box translate="no" px="5" fontFamily="mono" fontSize="sm" lineHeight="sm" overflowWrap="anywhere">
        {first}
      </Box>
      {children}
    </Stack>
  );
}

/** A URL with a muted origin, which is the same for all calls of a kind. */
function Address({ url }: { url: string }) {
  const origin = /^https?:\/\/[^/]+/.exec(url)?.[0] ?? '';
  return (
    <>
      <chakra.span color="fg.muted">{origin}</chakra.span>
      {url.slice(origin.length)}
    </>
  );
}

/** The journey for which the request was made. */
function Origin({ journey }: Pick<TimelineEntry, 'journey'>) {
  if (!own(journeys, journey)) return null;
  const id = journey;
  return (
    <Text as="span" color="fg.muted">
      Requested by{' '}
      <Link asChild>
        <RouterLink to={journeyOf(id).path}>{nameOf(id)}</RouterLink>
      </Link>
    </Text>
  );
}

/** The purpose of an entry and the journey that caused it. */
export function Purpose({ entry }: { entry: TimelineEntry }) {
  const { attempt, answers } = entry;
  const fault = faultOf(entry);
  return (
    <Flex columnGap="3" wrap="wrap" align="baseline" fontSize="sm">
      {entry.kind === 'program' && <Text fontWeight="medium">Your program{entry.name && `: ${entry.name}`}</Text>}
      {entry.byProgram && <Text fontWeight="medium">Your program</Text>}
      <span>{purposeOf(entry)}</span>
      {entry.response.headers['idempotent-replay'] && <Text color="done">Replayed response; nothing was sent.</Text>}
      {fault && <Text color="waiting">Injected by the fault lab: {faultTitle(fault)}.</Text>}
      {attempt > 1 && <Text color="fg.muted">Attempt {attempt}</Text>}
      <Origin journey={entry.journey} />
      {answers && (
        <Text as="span" color="fg.muted" title={answers}>
          Webhook of message <Code>{shortId(answers)}</Code>
        </Text>
      )}
    </Flex>
  );
}

function Signed({ text }: { text: string }) {
  return (
    <chakra.details fontSize="sm">
      <chakra.summary cursor="pointer" minHeight="6">
        Signed text
      </chakra.summary>
      <Text color="fg.muted">
        The signature is the HMAC-SHA1 of this text in Base64, by a key that stays on the server.
      </Text>
      <Box as="pre" whiteSpace="pre-wrap" overflowWrap="anywhere">
        {text}
      </Box>
    </chakra.details>
  );
}

/** The mistakes in a program's call. */
const Wrong = ({ sentences }: { sentences: readonly string[] }) => (
  <Box as="ul" ps="4" listStyleType="disc" color="failed" fontSize="sm" aria-label="Errors" overflowWrap="anywhere">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </Box>
);

/** The text that should have been signed, and the text that seems to have been signed. */
const Expected = ({ expected, signed }: { expected: string; signed: string }) => (
  <Stack gap="2" fontSize="sm">
    {[
      ['Expected to be signed', expected],
      ['Apparently signed by your program', signed || 'Unknown: only its HMAC was sent'],
    ].map(([label, text]) => (
      <div key={label}>
        <Text color="fg.muted">{label}</Text>
        <Box as="pre" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {text}
        </Box>
      </div>
    ))}
  </Stack>
);

/** Request and response of an entry, side by side; `ofFile`: the console does not know the entry. */
export function Detail({ entry, ofFile = false }: { entry: TimelineEntry; ofFile?: boolean }) {
  const { method, url, request, response, ms, kind, signature, baseString, status, wrong = [], signed = '' } = entry;
  const call = `${method} ${url}`;
  return (
    <>
      <Pane
        label="Request"
        first={
          <>
            <chakra.span color="accent" fontWeight="semibold">
              {method}
            </chakra.span>{' '}
            <Address url={url} />
          </>
        }
      >
        <Headers headers={request.headers} open />
        <Stack px="5" gap="3">
          {signature && (
            <Text color={signature === 'valid' ? 'done' : 'failed'} fontSize="sm">
              Signature {signature}
            </Text>
          )}
          {wrong.length > 0 && <Wrong sentences={wrong} />}
          {baseString && kind === 'program' && <Expected expected={baseString} signed={signed} />}
          {baseString && kind !== 'program' && <Signed text={baseString} />}
        </Stack>
        {kind === 'webhook' && !ofFile && <EntryDifferences entry={entry} />}
        <Body message={request} what={`request body of ${call}`} />
      </Pane>
      <Pane
        label="Response"
        first={
          <Flex columnGap="3" wrap="wrap">
            <chakra.span color={toneOf(entry)} fontWeight="semibold">
              {statusLine(entry)}
            </chakra.span>
            <chakra.span color="fg.muted">
              {[kind !== 'webhook' && durationOf(ms), response.bytes > 0 && sizeText(response.bytes)]
                .filter(Boolean)
                .join(' · ')}
            </chakra.span>
          </Flex>
        }
      >
        <Headers headers={response.headers} open />
        {kind !== 'webhook' && !ofFile && <EntryDifferences entry={entry} />}
        {status !== 0 && <Body message={response} what={`response body of ${call}`} />}
      </Pane>
    </>
  );
}
