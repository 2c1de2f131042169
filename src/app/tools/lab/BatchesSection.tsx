import { Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { faultTitle } from '#rules/lab.ts';
import { addressOf } from '#machines/journeys.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { ShortId } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time, timeText } from '#ui/Time.tsx';
import { useResource } from '#app/console/useResource.ts';
import { batchRows, type BatchRow } from '#app/effects/labForms.ts';
import { ListState } from './ListState.tsx';
import { Section } from './Section.tsx';

const columns = [
  {
    id: 'batch',
    title: 'Batch',
    text: ({ batchId }: BatchRow) => batchId,
    cell: ({ batchId }: BatchRow) => <ShortId value={batchId} />,
  },
  {
    id: 'at',
    title: 'Received',
    text: ({ at }: BatchRow) => timeText(at),
    order: ({ at }: BatchRow) => Date.parse(at),
    cell: ({ at }: BatchRow) => <Time at={at} />,
  },
  { id: 'payments', title: 'Payments', text: ({ payments }: BatchRow) => String(payments) },
  {
    id: 'status',
    title: 'State',
    text: ({ status }: BatchRow) => status,
    cell: ({ status }: BatchRow) => <Badge tone={toneOf(status)}>{status}</Badge>,
  },
  { id: 'next', title: 'Next state', text: ({ next }: BatchRow) => next ?? 'by hand' },
  { id: 'fault', title: 'Fault', text: ({ fault }: BatchRow) => faultTitle(fault ?? '') },
] as const;

/** The company's batches, each of which can be moved to its next status by hand. */
export function BatchesSection() {
  const list = useResource(batchRows);
  const rows = list.known ?? [];
  return (
    <Section
      id="lab-batches"
      title="Batches"
      says="The latest batches of the current company, as the sandbox has them. Under the rule “Manual steps” a batch stays in each state until you advance it here."
    >
      {list.known && (
        <DataTable
          caption={['batch', 'batches']}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          actions={({ id, next, may, batchId }) => (
            <ActButton
              size="sm"
              actor={list.actor}
              act={{ type: 'act', id, act: 'step' }}
              blocked={may.includes('step') ? '' : 'No state follows automatically'}
              aria-label={`Advance batch ${batchId}`}
              title={next ? `To ${next}` : undefined}
            >
              Advance
            </ActButton>
          )}
          empty={{
            children: 'Batches of this company, to advance by hand. None was paid yet.',
            action: (
              <Link asChild>
                <RouterLink to={addressOf('electronicPayment')}>Pay invoices</RouterLink>
              </Link>
            ),
          }}
        />
      )}
      <ListState list={list} name="batches" />
    </Section>
  );
}
