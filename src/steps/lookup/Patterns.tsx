import { Box, Heading, Text } from '@chakra-ui/react';
import { memo, useState } from 'react';
import type { Field } from '#rules/field.ts';
import { Code } from '#ui/Code.tsx';
import { Pager } from '#ui/ListTools.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import type { Column } from '#ui/rows.ts';
import { Badge } from '#ui/Badge.tsx';
import { samplesOf, type Sample } from './samples.ts';

const passText = ({ passes }: Sample): string => (passes ? 'Passes' : 'Fails');

const columns: readonly Column<Sample>[] = [
  {
    id: 'value',
    title: 'Value',
    text: ({ value }) => value,
    cell: ({ value }) => <Code style={{ whiteSpace: 'pre-wrap' }}>{value}</Code>,
  },
  {
    id: 'outcome',
    title: 'Outcome',
    text: passText,
    cell: (sample) => <Badge tone={sample.passes ? 'done' : 'failed'}>{passText(sample)}</Badge>,
  },
];

/** Patterns per page; only those of the current page are tested. */
const pageSize = 20;

function PatternOf({ field }: { field: Field }) {
  return (
    <Box display="grid" gap="1">
      <Heading as="h3" size="md">
        {field.label}
      </Heading>
      <Code>{field.regex}</Code>
      <DataTable
        caption={[`value tried for ${field.label}`, `values tried for ${field.label}`]}
        columns={columns}
        rows={samplesOf(field)}
        rowKey={({ value }) => value}
        empty={{ children: 'Values that pass and values that fail.', reason: field.note ?? '' }}
      />
    </Box>
  );
}

/** For each pattern of the form, some values that pass and some that fail, or why the pattern is not run. */
export const Patterns = memo(function Patterns({ fields }: { fields: readonly Field[] }) {
  const [chosen, setChosen] = useState(1);
  const withPattern = fields.filter(({ regex }) => regex !== '');
  if (withPattern.length === 0) return <Text color="fg.muted">None of these fields has a pattern.</Text>;
  const page = Math.min(chosen, Math.ceil(withPattern.length / pageSize));
  return (
    <Box display="grid" gap="5">
      {withPattern.length > pageSize && (
        <Pager caption="patterns" page={page} pageSize={pageSize} of={withPattern.length} onPage={setChosen} />
      )}
      {withPattern.slice((page - 1) * pageSize, page * pageSize).map((field) => (
        <PatternOf key={field.id} field={field} />
      ))}
    </Box>
  );
});
