import { Flex, Table, Text } from '@chakra-ui/react';
import { use, useDeferredValue, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { broadListWidth, cards, listWidth, narrowHidden } from './cards.ts';
import { ColumnHeader } from './ColumnHeader.tsx';
import { EmptyState, type EmptyStateProps } from './EmptyState.tsx';
import { focusOn } from './focus.ts';
import { FilterBox, Pager } from './ListTools.tsx';
import { RecordContext, chooserKeys } from './RowChooser.tsx';
import { pinned, Rows, type Controls, type RowMark } from './Rows.tsx';
import { filterRows, rowTexts, sortRows, type Column } from './rows.ts';
import { StatusChips } from './StatusChips.tsx';
import type { Tone } from './Badge.tsx';
import { useView, type View } from './useView.ts';
import { whileIdle } from './whileIdle.ts';
import { nounFor, type Noun } from '#rules/counted.ts';
import { Stack } from './surfaces.tsx';

const pageSize = 50;

const dense = { whiteSpace: 'normal', '& td, & th': { pe: '2' } } as const;

/** Maximum number of rows of a list without a filter box. */
const shortList = 10;

/** The rows that match the view's term and status, in the view's order. */
function useMatching<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  view: View,
  statusOf?: (row: Row) => string,
): readonly Row[] {
  const { term, sort, descending, status } = view;
  const text = useMemo(() => rowTexts(columns), [columns]);
  // Known before the first key is pressed.
  useEffect(() => whileIdle(rows, text), [rows, text]);
  const sorted = useMemo(() => columns.find(({ id }) => id === sort) ?? {}, [columns, sort]);
  const left = useMemo(() => filterRows(rows, term, text), [rows, term, text]);
  const ofStatus = useMemo(
    () => (statusOf && status ? left.filter((row) => statusOf(row) === status) : left),
    [statusOf, status, left],
  );
  return useMemo(() => sortRows(ofStatus, sorted, descending), [ofStatus, sorted, descending]);
}

interface TableProps<Row> {
  caption: Noun;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  choose?: Controls<Row>;
  inspects?: (row: Row) => string;
  actions?: (row: Row) => ReactNode;
  /** What replaces a list without rows; null for a list that always has some. */
  empty: EmptyStateProps | null;
  address?: string;
  /** Returns a row's status. If the statuses differ, each is a filter with its number of rows. */
  statusOf?: (row: Row) => string;
  /** See StatusChips. */
  tones?: Readonly<Record<string, Tone>>;
  /** Marks rows, and sets the DOM ids with which `sought` finds them; must be a stable function. */
  mark?: ((row: Row) => RowMark | undefined) | undefined;
  /** The DOM id of a row to focus, on any page of the list; each new object is a new request. */
  sought?: { control: string } | undefined;
  /** Renders a second line of a row, over all columns. */
  below?: (row: Row) => ReactNode;
  /** Wraps the texts of the cells, for a list that is too narrow for its columns. */
  wraps?: true;
}

/** Opens the page with the sought row, clears a filter that hides it, and focuses the row. */
function useSought<Row>(
  { sought, mark, rows }: Pick<TableProps<Row>, 'sought' | 'mark' | 'rows'>,
  matching: readonly Row[],
  change: (change: Partial<View>) => void,
): void {
  const [opened, setOpened] = useState<object>();
  const focused = useRef<object>(undefined);
  if (sought && mark && opened !== sought) {
    setOpened(sought);
    const isSought = (row: Row) => mark(row)?.id === sought.control;
    const at = matching.findIndex(isSought);
    const among = rows.findIndex(isSought);
    if (at >= 0) change({ page: Math.floor(at / pageSize) + 1 });
    else if (among >= 0) change({ term: '', status: '', sort: '', page: Math.floor(among / pageSize) + 1 });
  }
  // After every render, because the list renders later than the rest of the page.
  useEffect(() => {
    const row = sought && mark && focused.current !== sought ? document.getElementById(sought.control) : null;
    if (!row) return;
    focused.current = sought;
    focusOn(row);
  });
}

/**
 * A list of any length with a row count. Its headers sort it, a filter box filters it while typing (from eleven rows),
 * and it is shown in pages of fifty (behaviour, section 10.7). `caption` names a row and several ("subscription",
 * "subscriptions"); `choose` is a column before the others; `actions` renders a
 * row's buttons; `inspects` names a row whose record the inspector can show. `address` is the prefix of the query
 * parameters that store the view (see useView).
 */
export function DataTable<Row extends object>(props: TableProps<Row>) {
  const {
    caption: noun,
    columns,
    rows,
    rowKey,
    choose,
    inspects,
    actions,
    empty,
    address,
    statusOf,
    tones,
    mark,
    sought,
    below,
    wraps = false,
  } = props;
  const caption = nounFor(rows.length, noun);
  const context = use(RecordContext);
  const record = inspects ? context : null;
  const beside = record !== null && record.id !== '';
  const [asked, change] = useView(address);
  // The controls update immediately, so that a second click applies to the new view; the list follows with lower
  // priority.
  const view = useDeferredValue(asked);
  const counted = useId();
  const matching = useMatching(rows, columns, view, statusOf);
  const { term } = view;
  const pages = Math.max(1, Math.ceil(matching.length / pageSize));
  const first = (Math.min(view.page, pages) - 1) * pageSize;
  const onPage = useMemo(() => matching.slice(first, first + pageSize), [matching, first]);
  useSought({ sought, mark, rows }, matching, change);
  // A page that the list no longer has would come back once the list grows.
  const tooFar = rows.length > 0 && asked === view && asked.page > pages;
  useEffect(() => {
    if (tooFar) change({ page: pages });
  });
  const filtered = term.trim() !== '' || (statusOf !== undefined && view.status !== '');
  if (rows.length === 0) return empty && <EmptyState {...empty} />;
  return (
    <Stack gap="3">
      <Flex columnGap="4" rowGap="2" wrap="wrap" align="center">
        {/* Outside the table: a live region is not allowed between a table's rows and cells. */}
        <Text id={counted} aria-live="polite" fontSize="sm" color="fg.muted">
          {filtered ? `${matching.length} of ${rows.length}` : rows.length} {caption}
        </Text>
        {statusOf && (
          <StatusChips
            statuses={rows.map(statusOf)}
            chosen={asked.status}
            tones={tones}
            onChoose={(status) => change({ status, page: 1 })}
          />
        )}
        {(rows.length > shortList || asked.term.trim() !== '') && (
          <FilterBox
            label={`Filter ${caption}`}
            term={asked.term}
            onChange={(next) => change({ term: next, page: 1 })}
          />
        )}
        {matching.length > pageSize && (
          <Pager
            caption={caption}
            page={Math.min(asked.page, pages)}
            pageSize={pageSize}
            of={matching.length}
            onPage={(next) => change({ page: next })}
          />
        )}
      </Flex>
      <Table.ScrollArea
        overflowX="auto"
        maxWidth="full"
        tabIndex={0}
        role="region"
        aria-label={caption}
        css={record ? (columns.length > 5 ? broadListWidth : listWidth) : undefined}
      >
        <Table.Root role="table" aria-labelledby={counted} css={wraps ? [cards, dense] : cards}>
          <Table.Header role="rowgroup">
            <Table.Row role="row" bg="bg">
              {choose && (
                <Table.ColumnHeader scope="col" role="columnheader" css={choose.head ? undefined : narrowHidden}>
                  {choose.head ? choose.head(matching, filtered) : choose.title}
                </Table.ColumnHeader>
              )}
              {columns.map((column) => (
                <ColumnHeader
                  key={column.id}
                  column={column}
                  view={asked}
                  sortable={rows.length > 1}
                  marked={rows.length > shortList}
                  beside={beside}
                  onSort={change}
                />
              ))}
              {actions && (
                <Table.ColumnHeader scope="col" role="columnheader" {...pinned} css={narrowHidden}>
                  Actions
                </Table.ColumnHeader>
              )}
            </Table.Row>
          </Table.Header>
          <Table.Body role="rowgroup" {...(record && chooserKeys(record))}>
            <Rows {...{ rows: onPage, columns, rowKey, choose, inspects, actions, record, mark, below }} />
          </Table.Body>
        </Table.Root>
      </Table.ScrollArea>
      {matching.length === 0 && (
        <Text color="fg.muted">{`No results for "${[term.trim(), view.status].filter(Boolean).join(' ')}"`}</Text>
      )}
    </Stack>
  );
}
