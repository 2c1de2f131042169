import { Button, Flex, Table, Text } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** What the column is sorted by; without it the column is not sortable. */
  sort?: (row: Row) => string | number;
}

interface Sorting {
  column: string;
  descending: boolean;
}

const pageSize = 50;

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { column, descending }: Sorting,
): readonly Row[] {
  const by = columns.find(({ id }) => id === column)?.sort;
  if (!by) return rows;
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return rows.toSorted((a, b) => (descending ? compare(by(b), by(a)) : compare(by(a), by(b))));
}

function ColumnHeader<Row>({
  column,
  sorting,
  onSort,
}: {
  column: Column<Row>;
  sorting: Sorting;
  onSort: (next: Sorting) => void;
}) {
  const { id, title, sort } = column;
  const sorted = sorting.column === id;
  if (!sort) return <Table.ColumnHeader scope="col">{title}</Table.ColumnHeader>;
  return (
    <Table.ColumnHeader scope="col" aria-sort={sorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'}>
      <Button
        size="sm"
        variant="ghost"
        px="0"
        fontWeight="semibold"
        onClick={() => onSort({ column: id, descending: sorted && !sorting.descending })}
      >
        {title}
        <span aria-hidden="true">{sorted ? (sorting.descending ? '↓' : '↑') : '↕'}</span>
      </Button>
    </Table.ColumnHeader>
  );
}

/**
 * A table with sortable columns, a count and pages of fifty rows (ux, rule 7). `caption` names the rows in the plural
 * ("subscriptions"), `empty` stands in for a table without rows, `actions` are a row's buttons.
 */
export function DataTable<Row>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
  empty: ReactNode;
}) {
  const { caption, columns, rows, rowKey, actions, empty } = props;
  const [sorting, setSorting] = useState<Sorting>({ column: '', descending: false });
  const [page, setPage] = useState(0);
  if (rows.length === 0) return empty;
  const pages = Math.ceil(rows.length / pageSize);
  const shown = Math.min(page, pages - 1);
  const first = shown * pageSize;
  const visible = sortRows(rows, columns, sorting).slice(first, first + pageSize);
  return (
    <>
      <Table.ScrollArea overflowX="auto" maxWidth="full" tabIndex={0} role="region" aria-label={caption}>
        <Table.Root>
          <Table.Caption captionSide="top">
            {rows.length} {caption}
          </Table.Caption>
          <Table.Header>
            <Table.Row>
              {columns.map((column) => (
                <ColumnHeader key={column.id} column={column} sorting={sorting} onSort={setSorting} />
              ))}
              {actions && <Table.ColumnHeader scope="col">Actions</Table.ColumnHeader>}
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {visible.map((row) => (
              <Table.Row key={rowKey(row)}>
                {columns.map(({ id, cell }) => (
                  <Table.Cell key={id}>{cell(row)}</Table.Cell>
                ))}
                {actions && <Table.Cell>{actions(row)}</Table.Cell>}
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      {pages > 1 && (
        <Flex as="nav" aria-label={`Pages of ${caption}`} align="center" gap="2" pt="3">
          <Button size="sm" aria-disabled={shown === 0} onClick={() => setPage(Math.max(0, shown - 1))}>
            Previous
          </Button>
          <Text aria-live="polite">
            {first + 1} to {first + visible.length} of {rows.length}
          </Text>
          <Button size="sm" aria-disabled={shown === pages - 1} onClick={() => setPage(Math.min(pages - 1, shown + 1))}>
            Next
          </Button>
        </Flex>
      )}
    </>
  );
}
