import { Button, chakra, Table } from '@chakra-ui/react';
import { folded, inRecord, narrowHidden } from './cards.ts';
import type { Column } from './rows.ts';
import type { View } from './useView.ts';

/** A column's header: a button that sorts by the column, and reverses the order when pressed again. */
export function ColumnHeader<Row>(props: {
  column: Column<Row>;
  view: View;
  /** The list has more than one row. */
  sortable: boolean;
  /** Each header shows that it sorts; else only the one that the list is sorted by, because a short list is read at once. */
  marked: boolean;
  /** A record is open beside the list. */
  beside: boolean;
  onSort: (change: Pick<View, 'sort' | 'descending' | 'page'>) => void;
}) {
  const { column, view, sortable, marked, beside, onSort } = props;
  const { id, title, text, order, figures = false, detail = false, folds = false } = column;
  const textAlign = figures ? 'end' : 'start';
  const hidden = folds ? folded : detail && beside ? inRecord : {};
  if (!sortable || (!text && !order))
    return (
      <Table.ColumnHeader
        scope="col"
        role="columnheader"
        textAlign={textAlign}
        data-figures={figures || undefined}
        css={{ ...narrowHidden, ...hidden }}
      >
        {title}
      </Table.ColumnHeader>
    );
  const sorted = view.sort === id;
  // Positioned in the gap between the columns, so that the mark does not widen its column; on the side of the free room.
  const mark = (marked || sorted) && (
    <chakra.span aria-hidden="true" position="relative" width="0" opacity={sorted ? 1 : 0.6}>
      <chakra.span
        position="absolute"
        {...(figures ? { insetInlineEnd: '2px' } : { insetInlineStart: '1px' })}
        top="50%"
        transform="translateY(-50%)"
      >
        {sorted ? (view.descending ? '↓' : '↑') : '↕'}
      </chakra.span>
    </chakra.span>
  );
  return (
    <Table.ColumnHeader
      scope="col"
      role="columnheader"
      textAlign={textAlign}
      data-figures={figures || undefined}
      css={hidden}
      aria-sort={sorted ? (view.descending ? 'descending' : 'ascending') : 'none'}
    >
      <Button
        size="sm"
        variant="ghost"
        px="0"
        gap="0"
        minWidth="6"
        justifyContent={figures ? 'end' : 'start'}
        fontWeight="medium"
        onClick={() => onSort({ sort: id, descending: sorted && !view.descending, page: 1 })}
      >
        {figures && mark}
        {title}
        {!figures && mark}
      </Button>
    </Table.ColumnHeader>
  );
}
