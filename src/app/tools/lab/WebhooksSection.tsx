import { Box, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { ResentWebhook, SignatureChecked, SignatureExplained } from '#contract/lab.ts';
import { late } from '#rules/late.ts';
import { checkingForm, sinceForm } from '#rules/labForms.ts';
import { Code } from '#ui/Code.tsx';
import { serverNow } from '#ui/clock.ts';
import { addressOf, journeyOf } from '#machines/journeys.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { StatusChips } from '#ui/StatusChips.tsx';
import { Checkbox } from '#ui/Field.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { useResource } from '#app/console/useResource.ts';
import { againSince, signatureCheck, webhookRows, type WebhookRow } from '#app/effects/labForms.ts';
import { lazyRoute } from '#app/frame/lazyRoute.tsx';
import { LabForm } from './LabForm.tsx';
import { ListState } from './ListState.tsx';
import { Columns, Section } from './Section.tsx';
import { Checked, Explained } from './Signature.tsx';

/** What happened last: `Refused with 503`, `No such host`. */
function fateOf({ delivered, log }: WebhookRow): string {
  if (delivered) return 'Delivered';
  const { outcome = 'not sent' } = log.at(-1) ?? {};
  return outcome.slice(0, 1).toUpperCase() + outcome.slice(1);
}

const attemptsText = ({ attempts, log }: WebhookRow): string =>
  [String(attempts), ...log.map(({ url, outcome }) => `${url} ${outcome}`)].join(' ');

/** The attempts to deliver a webhook, each with its time, its address and what happened. */
function Attempts({ row: { attempts, log, webhookId } }: { row: WebhookRow }) {
  if (log.length === 0) return attempts;
  return (
    <chakra.details>
      <chakra.summary cursor="pointer" minHeight="6" aria-label={`Attempts to deliver ${webhookId}: ${attempts}`}>
        {attempts}
      </chakra.summary>
      <Box as="ol" ps="4" listStyleType="decimal" fontSize="sm" overflowWrap="anywhere">
        {log.map(({ at, receiver, url, outcome }, index) => (
          <li key={index}>
            <Time at={at} /> {receiver === 'second' && 'second receiver, '}
            <Code>{url}</Code>: {outcome}
          </li>
        ))}
      </Box>
    </chakra.details>
  );
}

/** What became of a webhook, to filter by. */
const resultOf = ({ delivered, late: isLate }: WebhookRow) =>
  isLate ? late.word : delivered ? 'Delivered' : 'Not delivered';
const resultTones = { Delivered: 'done', 'Not delivered': 'failed', Late: 'idle' } as const;

const columns = [
  { id: 'type', title: 'Type', text: ({ type }: WebhookRow) => type },
  { id: 'at', title: 'Created', text: ({ at }: WebhookRow) => at, cell: ({ at }: WebhookRow) => <Time at={at} /> },
  {
    id: 'attempts',
    title: 'Attempts',
    text: attemptsText,
    cell: (row: WebhookRow) => <Attempts row={row} />,
  },
  {
    id: 'fate',
    title: 'Receiver',
    text: (row: WebhookRow) => [fateOf(row), resultOf(row)].join(' '),
    cell: (row: WebhookRow) => (
      <Badge tone={resultTones[resultOf(row)]} {...(row.late && { title: late.says })}>
        {row.late ? late.word : fateOf(row)}
      </Badge>
    ),
  },
  { id: 'fault', title: 'Fault', text: ({ mark }: WebhookRow) => mark?.kind ?? '' },
  { id: 'id', title: 'webhook-id', text: ({ webhookId }: WebhookRow) => webhookId },
] as const;

/** The addresses to which webhooks were sent again. */
type Resent = Pick<ResentWebhook, 'to'>;

/** Two texts side by side, which few compare. */
const Difference = lazyRoute(async () => (await import('../timeline/Compare.tsx')).Difference);

/** The bodies of two webhooks, and how they were sent. */
function Compared({ first, second }: { first: WebhookRow; second: WebhookRow }) {
  const attempts = ({ log }: WebhookRow) => log.map(({ receiver, url, outcome }) => `${receiver} ${url}: ${outcome}`);
  return (
    <Box
      as="section"
      aria-label="Comparison of two webhooks"
      borderWidth="1px"
      borderRadius="md"
      pb="3"
      overflow="auto"
    >
      <Text fontSize="sm" color="fg.muted" px="5" pt="3">
        {first.type} <Code>{first.webhookId}</Code>, {second.type} <Code>{second.webhookId}</Code>
      </Text>
      <Difference what="Body" first={first.body} second={second.body} />
      <Difference what="Deliveries" first={attempts(first).join('\n')} second={attempts(second).join('\n')} />
    </Box>
  );
}

/** Resends webhooks, and explains and checks their signatures. */
export function WebhooksSection() {
  const list = useResource(webhookRows);
  const rows = list.known ?? [];
  const [since] = useState(() => sinceForm(serverNow()));
  const [type, setType] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const { done, result } = list;
  const ofType = rows.filter((row) => type === '' || row.type === type);
  // What is no longer listed, or filtered out, is not sent.
  const chosen = ofType.filter(({ id }) => ticked.includes(id));
  const ids = chosen.map(({ id }) => id);
  const [first, second, ...more] = chosen;
  return (
    <Section
      id="lab-webhooks"
      title="Latest webhooks"
      says="Those about your own records, newest first. A webhook that is sent again has the same id and body, and no fault."
    >
      {rows.length > 0 && (
        <Flex columnGap="4" rowGap="2" wrap="wrap" align="center">
          <StatusChips statuses={rows.map((row) => row.type)} chosen={type} onChoose={setType} by="type" />
          <ActButton
            size="sm"
            actor={list.actor}
            act={{ type: 'act', id: ids.join(', '), ids, act: 'again' }}
            blocked={ids.length === 0 ? 'Choose webhooks in the list' : ''}
          >
            Send chosen again{ids.length > 0 && ` (${ids.length})`}
          </ActButton>
          <Text fontSize="sm" color="fg.muted">
            Choose two to compare them.
          </Text>
        </Flex>
      )}
      {list.known && (
        <DataTable
          caption={['webhook', 'webhooks']}
          columns={columns}
          rows={ofType}
          rowKey={({ id }) => id}
          statusOf={resultOf}
          tones={resultTones}
          choose={{
            title: 'Choose',
            cell: ({ id, webhookId }) => (
              <Checkbox
                aria-label={`Choose ${webhookId}`}
                checked={ticked.includes(id)}
                onChange={({ target }) =>
                  setTicked(target.checked ? [...ticked, id] : ticked.filter((each) => each !== id))
                }
              />
            ),
          }}
          actions={({ id, type, webhookId }) => (
            <Flex gap="1" wrap="wrap">
              <ActButton
                size="sm"
                actor={list.actor}
                act={{ type: 'act', id, act: 'again' }}
                aria-label={`Send again ${type} ${webhookId}`}
              >
                Send again
              </ActButton>
              <ActButton
                size="sm"
                actor={list.actor}
                act={{ type: 'act', id, act: 'explain' }}
                aria-label={`Explain the signature of ${webhookId}`}
              >
                Explain
              </ActButton>
            </Flex>
          )}
          empty={{
            children: 'Webhooks about your records, to send again. The sandbox has sent none yet.',
            action: (
              <Link asChild>
                <RouterLink to={addressOf('debtor')}>{journeyOf('debtor').title}</RouterLink>
              </Link>
            ),
          }}
        />
      )}
      {first && second && more.length === 0 && <Compared first={first} second={second} />}
      <ListState list={list} name="webhooks" />
      <Box role="status">
        {done?.act === 'again' && (
          <Text color="done">
            Sent again: {done.id}, to {(result as Resent).to.join(' and ')}.
          </Text>
        )}
        {done?.act === 'explain' && <Explained explained={result as SignatureExplained} />}
      </Box>
      <Columns>
        <Box display="grid" gap="3">
          <Heading as="h3" size="md">
            Send all again
          </Heading>
          <LabForm
            machine={againSince}
            kind={since}
            submitLabel="Send all again"
            secondary
            said={(sent) => {
              const { count, to } = sent as Resent & { count: number };
              return (
                <Text color="done">
                  {count === 0
                    ? 'No failed webhooks since then.'
                    : `Webhooks sent again, of all users: ${count}, to ${to.join(' and ')}.`}
                </Text>
              );
            }}
          />
        </Box>
        <Box display="grid" gap="3" minWidth="0">
          <Heading as="h3" size="md">
            Check a webhook that you have received
          </Heading>
          <LabForm
            machine={signatureCheck}
            kind={checkingForm}
            submitLabel="Check"
            secondary
            said={(checked) => <Checked checked={checked as SignatureChecked} />}
          />
        </Box>
      </Columns>
    </Section>
  );
}
