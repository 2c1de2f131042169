import { Box, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { useMemo, useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { own } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { journeyOf, journeys, nameOf } from '#machines/journeys.ts';
import { shortId } from '#rules/shortId.ts';
import { lazyRoute } from '#app/frame/lazyRoute.tsx';
import { shownAfter, sizeText } from '#app/journey/inspector/shownRequest.ts';
import { WebhookTab } from '#app/journey/inspector/WebhookTab.tsx';
import { Body, Empty, Headers } from '#app/journey/inspector/Message.tsx';
import { marksOf } from '#rules/entryMarks.ts';
import { hasFailed, keyOf } from '#rules/timeline.ts';
import type { Around } from './around.ts';
import { EntryDifferences } from './EntryDifferences.tsx';
import { addressOf, durationOf, purposeOf, statusLine, statusOf, timeOf, toneOf } from './format.ts';
import { Code } from '#ui/Code.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { Tabs, type Tab } from '#ui/Tabs.tsx';
import { Stack } from '#ui/surfaces.tsx';

const CodeTab = lazyRoute(async () => (await import('#app/journey/inspector/CodeTab.tsx')).CodeTab);

const Pane = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack as="section" aria-label={label} gap="0" alignContent="start">
    {children}
  </Stack>
);

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
  return (
    <Flex columnGap="3" wrap="wrap" align="baseline" fontSize="sm">
      {entry.kind === 'program' && <Text fontWeight="medium">Your program{entry.name && `: ${entry.name}`}</Text>}
      {entry.byProgram && <Text fontWeight="medium">Your program</Text>}
      <span>{purposeOf(entry)}</span>
      {entry.response.headers['idempotent-replay'] && <Text color="done">Replayed response; nothing was sent.</Text>}
      {marksOf(entry).map(({ word, says, tone }) => (
        <Text key={word} color={tone === 'idle' ? 'fg.muted' : 'waiting'} overflowWrap="anywhere">
          {tone === 'back' ? says : `${says}: ${word}`}.
        </Text>
      ))}
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
    <chakra.details fontSize="sm" px="5" py="2">
      <chakra.summary cursor="pointer" minHeight="6" color="fg.muted">
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

/** The request of an entry: what is wrong with it, its body, its headers. */
function Request({ entry, ofFile }: { entry: TimelineEntry; ofFile: boolean }) {
  const { method, url, request, kind, signature, baseString, wrong = [], signed = '' } = entry;
  return (
    <Pane label="Request">
      <Stack px="5" pt="3" gap="3" _empty={{ display: 'none' }}>
        {signature && (
          <Text color={signature === 'valid' ? 'done' : 'failed'} fontSize="sm">
            Signature {signature}
          </Text>
        )}
        {wrong.length > 0 && <Wrong sentences={wrong} />}
        {baseString && kind === 'program' && <Expected expected={baseString} signed={signed} />}
      </Stack>
      {kind === 'webhook' && !ofFile && <EntryDifferences entry={entry} />}
      <Body message={request} what={`request body of ${method} ${url}`} />
      <Headers headers={request.headers} />
      {baseString && kind !== 'program' && <Signed text={baseString} />}
    </Pane>
  );
}

function Response({ entry, ofFile }: { entry: TimelineEntry; ofFile: boolean }) {
  const { method, url, response, kind, status } = entry;
  return (
    <Pane label="Response">
      {kind !== 'webhook' && !ofFile && <EntryDifferences entry={entry} />}
      {status === 0 ? (
        <Empty>{statusLine(entry)}</Empty>
      ) : (
        <Body message={response} what={`response body of ${method} ${url}`} />
      )}
      <Headers headers={response.headers} />
    </Pane>
  );
}

/** Address, status, time, duration and size of an entry. */
export function Head({ entry }: { entry: TimelineEntry }) {
  const { method, url, at, ms, kind, response } = entry;
  const figures = [timeOf(at), kind !== 'webhook' && durationOf(ms), response.bytes > 0 && sizeText(response.bytes)];
  return (
    <Flex columnGap="3" wrap="wrap" align="baseline" flex="1 1 20rem" minWidth="0">
      <chakra.span color={toneOf(entry)} fontWeight="semibold">
        {hasFailed(entry) && <span aria-hidden="true">✕ </span>}
        {statusLine(entry)}
      </chakra.span>
      <Box translate="no" fontFamily="mono" fontSize="sm" overflowWrap="anywhere" minWidth="0">
        <chakra.span fontWeight="semibold">{method}</chakra.span> <Address url={url} />
      </Box>
      <Text color="fg.muted" fontSize="sm" fontVariantNumeric="tabular-nums">
        {figures.filter(Boolean).join(' · ')}
      </Text>
    </Flex>
  );
}

/** The entries with an entry's idempotency key, oldest first: what each ended in. */
function KeyHistory({ entry, sameKey, onOpen }: Pick<Props, 'entry' | 'onOpen'> & Pick<Around, 'sameKey'>) {
  const key = keyOf(entry);
  if (key === '') return null;
  return (
    <Flex
      columnGap="4"
      rowGap="1"
      wrap="wrap"
      align="center"
      justify="space-between"
      px="5"
      py="1"
      borderBottomWidth="1px"
      fontSize="sm"
    >
      <Flex gap="2" align="center">
        <chakra.span color="fg.muted">Key</chakra.span>
        <Id value={key} what="the idempotency key" />
      </Flex>
      {sameKey.length < 2 ? (
        <chakra.span color="fg.muted">First use of this key</chakra.span>
      ) : (
        <Flex as="ol" gap="3" wrap="wrap" listStyleType="none" aria-label="Calls with this key">
          {sameKey.map((each, index) => (
            <li key={each.id}>
              <chakra.button
                type="button"
                cursor="pointer"
                minHeight="6"
                aria-current={each.id === entry.id}
                fontWeight={each.id === entry.id ? 'semibold' : undefined}
                color={hasFailed(each) ? 'failed' : 'done'}
                onClick={() => onOpen(each.id)}
              >
                {index > 0 && <span aria-hidden="true">→ </span>}
                {hasFailed(each) ? '✕' : '✓'} {index + 1} of {sameKey.length}: {statusOf(each)}, {durationOf(each.ms)}
                {each.response.headers['idempotent-replay'] && ', replayed'}
              </chakra.button>
            </li>
          ))}
        </Flex>
      )}
    </Flex>
  );
}

/** The calls and webhooks of one interaction, oldest first. */
const Related = ({ entry, related, onOpen }: Pick<Props, 'entry' | 'onOpen'> & Pick<Around, 'related'>) => (
  <Box as="ol" listStyleType="none" fontSize="sm" py="2">
    {related.map((each) => (
      <li key={each.id}>
        <chakra.button
          type="button"
          cursor="pointer"
          width="full"
          minHeight="7"
          px="5"
          display="grid"
          gridTemplateColumns="7rem 3rem minmax(0, 1fr) auto"
          columnGap="3"
          textAlign="start"
          fontVariantNumeric="tabular-nums"
          aria-current={each.id === entry.id}
          bg={each.id === entry.id ? 'accent.subtle' : undefined}
          onClick={() => onOpen(each.id)}
        >
          <chakra.span color="fg.muted">{timeOf(each.at)}</chakra.span>
          <span>{each.kind === 'webhook' ? 'hook' : each.method}</span>
          <Box as="span" fontFamily="mono" truncate>
            {addressOf(each)}
          </Box>
          <chakra.span color={toneOf(each)}>{statusOf(each)}</chakra.span>
        </chakra.button>
      </li>
    ))}
  </Box>
);

interface Props {
  entry: TimelineEntry;
  around: Around;
  /** The console does not know the entry. */
  ofFile?: boolean;
  onOpen: (id: string) => void;
  /** Below the related entries. */
  children?: ReactNode;
}

type TabId = 'request' | 'response' | 'webhooks' | 'code' | 'related';

/** An entry: its request, its response, and what belongs to it, each in a tab. */
export function Detail({ entry, around, ofFile = false, onOpen, children }: Props) {
  const { webhooks, related, sameKey } = around;
  const [tab, setTab] = useState<TabId>('request');
  const request = useMemo(() => ({ ...shownAfter(entry), url: new URL(entry.url, location.origin).href }), [entry]);
  const tabs: Tab<TabId>[] = [
    { id: 'request', label: 'Request', content: <Request entry={entry} ofFile={ofFile} /> },
    { id: 'response', label: 'Response', content: <Response entry={entry} ofFile={ofFile} /> },
    ...(webhooks.length > 0 ? [{ id: 'webhooks' as const, label: `Webhooks ${webhooks.length}`, content: <WebhookTab of={entry} webhooks={webhooks} /> }] : []),
    ...(entry.kind === 'webhook' ? [] : [{ id: 'code' as const, label: 'Code', content: <CodeTab request={request} /> }]),
    ...(related.length > 1 ? [{ id: 'related' as const, label: `Related ${related.length - 1}`, content: <><Related entry={entry} related={related} onOpen={onOpen} /><Box px="5" pb="3">{children}</Box></> }] : []),
  ]; // prettier-ignore
  return (
    <Box overflow="auto" minHeight="0">
      <KeyHistory entry={entry} sameKey={sameKey} onOpen={onOpen} />
      <Tabs label="Entry" tabs={tabs} open={tabs.find(({ id }) => id === tab)?.id ?? 'request'} onOpen={setTab} />
    </Box>
  );
}
