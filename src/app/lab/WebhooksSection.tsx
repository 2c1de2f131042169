import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { SignatureChecked, SignatureExplained } from '#contract/labCalls.ts';
import { checkingForm, sinceForm } from '#rules/labForms.ts';
import { serverNow } from '#ui/clock.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { againSince, signatureCheck, webhookRows, type WebhookRow } from '../effects/labForms.ts';
import { LabForm } from './LabForm.tsx';
import { ListState } from './ListState.tsx';
import { Columns, Section } from './Section.tsx';
import { Checked, Explained } from './Signature.tsx';
import { useRows } from './useRows.ts';

const fateOf = ({ delivered, status, attempts }: WebhookRow): string =>
  delivered ? 'Delivered' : attempts === 0 ? 'Not sent' : status === 0 ? 'No response' : `Refused with ${status}`;

const columns = [
  { id: 'type', title: 'Type', text: ({ type }: WebhookRow) => type },
  { id: 'at', title: 'Created', text: ({ at }: WebhookRow) => at, cell: ({ at }: WebhookRow) => <Time at={at} /> },
  { id: 'attempts', title: 'Attempts', text: ({ attempts }: WebhookRow) => String(attempts) },
  {
    id: 'fate',
    title: 'Receiver',
    text: fateOf,
    cell: (row: WebhookRow) => <Badge tone={row.delivered ? 'done' : 'failed'}>{fateOf(row)}</Badge>,
  },
  { id: 'fault', title: 'Fault', text: ({ mark }: WebhookRow) => mark?.kind ?? '' },
  { id: 'id', title: 'webhook-id', text: ({ webhookId }: WebhookRow) => webhookId },
] as const;

/** Resends webhooks, and explains and checks their signatures. */
export function WebhooksSection() {
  const { actor, snapshot, rows } = useRows<WebhookRow>(webhookRows);
  const [since] = useState(() => sinceForm(serverNow()));
  const { acted, result } = snapshot.context;
  const act = (id: string, name: 'again' | 'explain') => ({
    size: 'sm' as const,
    'aria-disabled': !snapshot.can({ type: 'row.act', id, act: name }),
    onClick: () => actor.send({ type: 'row.act', id, act: name }),
  });
  const isDone = !snapshot.matches('acting') && !snapshot.hasTag('failed');
  return (
    <Section
      id="lab-webhooks"
      title="Webhooks"
      says="The latest webhooks about your own records, newest first. A webhook that is sent again has the same id and body, and no fault."
    >
      {snapshot.hasTag('list') && (
        <DataTable
          caption={['webhook', 'webhooks']}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          actions={({ id, type, webhookId }) => (
            <Flex gap="1">
              <Button {...act(id, 'again')} aria-label={`Send again ${type} ${webhookId}`}>
                Send again
              </Button>
              <Button {...act(id, 'explain')} aria-label={`Explain the signature of ${webhookId}`}>
                Explain
              </Button>
            </Flex>
          )}
          empty={<Text color="fg.muted">The sandbox has sent no webhook about your records yet.</Text>}
        />
      )}
      <ListState actor={actor} snapshot={snapshot} name="webhooks" />
      <Box role="status">
        {isDone && acted?.act === 'again' && <Text color="done">Sent again: {acted.id}.</Text>}
        {isDone && acted?.act === 'explain' && result !== null && (
          <Explained explained={result as SignatureExplained} />
        )}
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
            said={(count) => (
              <Text color="done">
                {count === 0
                  ? 'No failed webhooks since then.'
                  : `Webhooks sent again, of all users: ${String(count)}.`}
              </Text>
            )}
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
