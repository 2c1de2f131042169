/** Below this width, a table draws each row as a card, with the column's title in front of each cell. */
const narrow = '@media (max-width: 599px)';

/** Hides an element visually on a narrow page; screen readers still read it. */
export const narrowHidden = {
  [narrow]: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
} as const;

/** Styles of a table whose rows become cards on a narrow page; the sort buttons stay above the cards in a row. */
export const cards = {
  '& th': { whiteSpace: 'normal', verticalAlign: 'middle', color: 'fg.muted', fontSize: 'xs', fontWeight: 'medium' },
  '& th button': { whiteSpace: 'normal', textAlign: 'inherit', fontSize: 'xs' },
  '& td': { py: '1', height: '10', verticalAlign: 'middle' },
  [narrow]: {
    '&, & thead, & tbody': { display: 'block' },
    '& thead tr': { display: 'flex', flexWrap: 'wrap', columnGap: '3', borderBottomWidth: '0', position: 'relative' },
    '& th': { py: '0' },
    '& tbody tr': { display: 'block', borderWidth: '1px', borderRadius: 'md', px: '3', py: '2', mb: '2' },
    '& td': {
      display: 'grid',
      gridTemplateColumns: 'minmax(7.5rem, 35%) minmax(0, 1fr)',
      justifyItems: 'start',
      columnGap: '2',
      py: '1',
      pe: '0',
      minHeight: '0',
      height: 'auto',
      textAlign: 'start',
    },
    '& td::before': {
      content: 'attr(data-title)',
      color: 'fg.muted',
      fontSize: 'sm',
      gridRow: '1 / span 9',
      minWidth: '0',
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
    '& td > *': { gridColumn: '2' },
  },
} as const;
