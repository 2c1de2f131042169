import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import { healthNews, type consumerHealthMachine, type HealthRow } from '#machines/lookup/lookup.machine.ts';
import { Code } from '#ui/Code.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import type { Column } from '#ui/rows.ts';
import { Badge, type Tone } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { Bar, primaryMark } from '#ui/Bar.tsx';
import { FirstView } from '#ui/EmptyState.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Way } from '#ui/Way.tsx';
import { ActButton } from '../kit/ActButton.tsx';

/** Neutral for a word that the console does not know. */
const healthTone = ({ status, httpStatus }: HealthRow): Tone =>
  httpStatus >= 300 || /^(down|out.of.service|fail|unhealthy)/i.test(status)
    ? 'failed'
    : /^(up|ok|healthy|pass)/i.test(status)
      ? 'done'
      : 'idle';

const columns: readonly Column<HealthRow>[] = [
  {
    id: 'status',
    title: 'Status',
    text: ({ status }) => status,
    cell: (row) => <Badge tone={healthTone(row)}>{row.status}</Badge>,
  },
  { id: 'version', title: 'Version', text: ({ version }) => version, cell: ({ version }) => <Code>{version}</Code> },
  { id: 'branch', title: 'Branch', text: ({ branch }) => branch, cell: ({ branch }) => <Code>{branch}</Code> },
  { id: 'name', title: 'Name', text: ({ name }) => name },
];

/** The health of the consumer API or its messaging API as it states it (behaviour, section 2). */
export function HealthStep({ actor }: { actor: ActorRefFrom<typeof consumerHealthMachine> }) {
  const row = useSelector(actor, ({ context }) => (context.failure ? null : context.result));
  const before = useSelector(actor, ({ context }) => context.before);
  const looking = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const failed = useSelector(actor, (snapshot) => snapshot.hasTag('failed'));
  const tone = failed ? 'failed' : row && healthTone(row);
  return (
    <Stack gap="4" maxWidth="measure">
      <StepTitle />
      <FirstView
        way={
          <Way
            label={row ? `The console asked the API: ${row.status}` : 'The console asks the API whether it is up.'}
            places={[{ title: 'Console' }, { title: 'API', ...(row && { lines: [row.name, row.version] }) }]}
            legs={[tone === 'done' || tone === 'failed' ? { sign: tone } : {}]}
          />
        }
        says={
          <div role="status">
            {looking
              ? 'Checking …'
              : row && (
                  <>
                    Updated <Time at={row.readAt} />. {healthNews(before, row)}
                  </>
                )}
          </div>
        }
      >
        {!failed && (
          <ActButton variant="solid" actor={actor} act={{ type: 'retry' }} {...primaryMark}>
            Refresh
          </ActButton>
        )}
      </FirstView>
      <DataTable
        caption={['API', 'APIs']}
        columns={columns}
        rows={row ? [row] : []}
        rowKey={({ name }) => name}
        empty={{
          children: 'Status, version, branch and name of the API.',
          reason: 'The API has not answered yet.',
        }}
      />
      <Bar leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
    </Stack>
  );
}
