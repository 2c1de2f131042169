import { Flex, Table } from '@chakra-ui/react';
import { memo, type ReactNode } from 'react';
import { folded, inRecord } from './cards.ts';
import { type ChosenRecord, chosenRow, RowChooser } from './RowChooser.tsx';
import type { Column } from './rows.ts';

/** Keeps the column of actions visible while the others scroll sideways, except on a narrow page. */
export const pinned = {
  position: { base: 'static', md: 'sticky' },
  insetInlineEnd: '0',
  bg: 'inherit',
  ps: '3',
  pe: '0',
  whiteSpace: 'nowrap',
  boxShadow: { md: 'inset 1px 0 {colors.border}' },
} as const;

/** A column with a control for each row. */
export interface Controls<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Renders the header in place of the title; it receives the matching rows of all pages and whether a filter is set. */
  head?: (matching: readonly Row[], filtered: boolean) => ReactNode;
}

/** A cell's content; in the list's first column, preceded by the button that opens the row's record. */
function Content<Row>(props: { column: Column<Row>; row: Row; children: ReactNode }) {
  const { column, row, children } = props;
  const { cell, text } = column;
  const content = cell ? cell(row) : <span>{text?.(row)}</span>;
  if (!children) return content;
  return (
    <Flex gap="1" align="center">
      {children}
      {content}
    </Flex>
  );
}

interface RowsProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  choose: Controls<Row> | undefined;
  inspects: ((row: Row) => string) | undefined;
  actions: ((row: Row) => ReactNode) | undefined;
  /** Null if rows cannot be chosen. */
  record: ChosenRecord | null;
  mark: ((row: Row) => RowMark | undefined) | undefined;
  below: ((row: Row) => ReactNode) | undefined;
}

/** The mark of a row: its DOM id, with which it can be focused, and whether it has an error. */
export interface RowMark {
  id: string;
  wrong: boolean;
}

const wrongLook = { bg: 'failed.subtle', boxShadow: 'inset 3px 0 {colors.failed}' } as const;

function markProps(mark: RowMark | undefined) {
  return mark && { id: mark.id, tabIndex: -1, ...(mark.wrong && { ...wrongLook, 'data-wrong': true }) };
}

function Drawn<Row>(props: RowsProps<Row>): ReactNode {
  const { rows, columns, rowKey, choose, inspects, actions, record, mark, below } = props;
  const width = columns.length + Number(choose !== undefined) + Number(actions !== undefined);
  const beside = record !== null && record.id !== '';
  return rows.flatMap((row) => {
    const second = below?.(row);
    const first = (
      <Table.Row
        key={rowKey(row)}
        role="row"
        bg="bg"
        data-continued={second ? true : undefined}
        {...markProps(mark?.(row))}
        {...(record && chosenRow(rowKey(row), record))}
      >
        {choose && (
          <Table.Cell role="cell" data-title={choose.title}>
            {choose.cell(row)}
          </Table.Cell>
        )}
        {columns.map((column, index) => (
          <Table.Cell
            key={column.id}
            role="cell"
            data-title={column.title}
            textAlign={column.figures ? 'end' : 'start'}
            data-figures={column.figures}
            css={column.folds ? folded : column.detail && beside ? inRecord : undefined}
          >
            <Content column={column} row={row}>
              {index === 0 && record && inspects && (
                <RowChooser id={rowKey(row)} name={inspects(row)} record={record} />
              )}
            </Content>
          </Table.Cell>
        ))}
        {actions && (
          <Table.Cell role="cell" data-title="Actions" {...pinned}>
            {actions(row)}
          </Table.Cell>
        )}
      </Table.Row>
    );
    if (!second) return first;
    return [
      first,
      <Table.Row key={`${rowKey(row)} below`} role="row" bg="bg" data-below>
        <Table.Cell role="cell" colSpan={width}>
          {second}
        </Table.Cell>
      </Table.Row>,
    ];
  });
}

/** The rows of a list's page; they do not render again while the filter is typed. */
export const Rows = memo(Drawn) as typeof Drawn; // memo loses the type parameter
