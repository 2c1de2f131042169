import { Button, Text } from '@chakra-ui/react';
import { faultKinds } from '#contract/lab.ts';
import { ShortId } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time, timeText } from '#ui/Time.tsx';
import { batchRows, type BatchRow } from '../effects/labForms.ts';
import { ListState } from './ListState.tsx';
import { Section } from './Section.tsx';
import { useRows } from './useRows.ts';

const faultTitle = (kind = ''): string =>
  (faultKinds.batch as Record<string, { title: string } | undefined>)[kind]?.title ?? kind;

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
  { id: 'next', title: 'What follows', text: ({ next }: BatchRow) => next ?? 'nothing automatically' },
  { id: 'fault', title: 'Fault', text: ({ fault }: BatchRow) => faultTitle(fault) },
] as const;

/** The company's batches, each of which can be moved to its next status by hand. */
export function BatchesSection() {
  const { actor, snapshot, rows } = useRows<BatchRow>(batchRows);
  return (
    <Section
      id="lab-batches"
      title="Batches"
      says="The latest batches of the current company, as the sandbox has them. Under the rule “Manual steps” a batch stays in each state until you advance it here."
    >
      {snapshot.hasTag('list') && (
        <DataTable
          caption={['batch', 'batches']}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          actions={({ id, next, batchId }) => (
            <Button
              size="sm"
              aria-disabled={!snapshot.can({ type: 'row.act', id, act: 'step' })}
              aria-label={`Advance batch ${batchId}`}
              title={next ? `To ${next}` : 'No state follows automatically'}
              onClick={() => actor.send({ type: 'row.act', id, act: 'step' })}
            >
              Advance
            </Button>
          )}
          empty={<Text color="fg.muted">The company has no batch in the sandbox yet: pay one.</Text>}
        />
      )}
      <ListState actor={actor} snapshot={snapshot} name="batches" />
    </Section>
  );
}
