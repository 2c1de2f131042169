import { visuallyHidden } from './visuallyHidden.ts';

/** Below this width, a table renders each row as a card, with the column's title before each cell. */
const narrowPage = '@media (max-width: 599px)';
/** The same for a list that is narrow on a wide page, next to the inspector. */
const narrowList = '@container list (max-width: 599px)';
const narrowBroadList = '@container broadList (max-width: 739px)';

/** Below this width, or with large letters, a card's cell is below its title: beside it, its mark would wrap below its text. */
const narrowestPage = '@media (max-width: 22.5em)';

/** Hides an element visually where a page's lists are tables; the cards of a narrow page show it. */
export const wideHidden = { '@media (min-width: 600px)': visuallyHidden } as const;

/** Makes an element the container whose width switches between table and cards. */
export const listWidth = { containerName: 'list', containerType: 'inline-size' } as const;
/** The same for a list of more than five columns. */
export const broadListWidth = { containerName: 'broadList', containerType: 'inline-size' } as const;

/** Hides an element visually where rows are cards; screen readers still read it. */
export const narrowHidden = {
  [narrowPage]: visuallyHidden,
  [narrowList]: visuallyHidden,
  [narrowBroadList]: visuallyHidden,
} as const;

/** Hides a column that the record beside the list also shows; cards keep it. */
export const inRecord = { '@container list (min-width: 600px)': { display: 'none' } } as const;

/** A window with room for a table, but not for all columns of a list beside the inspector. */
const mediumPage = '@media (min-width: 600px) and (max-width: 1099px)';

/** Hides a column whose text another column shows in a medium window, and shows that text there only. */
export const folded = { [mediumPage]: { display: 'none' } } as const;
export const foldedText = { display: 'none', [mediumPage]: { display: 'block' } } as const;

const asCards = {
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
    px: '0',
    minHeight: '0',
    height: 'auto',
    textAlign: 'start',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    position: 'static',
    boxShadow: 'none',
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
  '& td:empty, & td:has(> span:only-child:empty)': { display: 'none' },
  '& [data-figures]:not(:last-child)': { paddingInlineEnd: '0' },
  '& tbody [data-continued]': { mb: '0', borderBottomWidth: '0', borderEndStartRadius: '0', borderEndEndRadius: '0' },
  '& tbody [data-below]': { borderTopWidth: '0', borderStartStartRadius: '0', borderStartEndRadius: '0' },
  '& [data-below] td': { display: 'block' },
  '& [data-below] td::before': { content: 'none' },
  [narrowestPage]: {
    '& td': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '& td::before': { gridRow: 'auto' },
    '& td > *': { gridColumn: '1' },
  },
} as const;

/** Styles of a table whose rows become cards when it is narrow; the sort buttons form a row above the cards. */
export const cards = {
  '& th': { whiteSpace: 'normal', verticalAlign: 'middle', color: 'fg.muted', fontSize: 'xs', fontWeight: 'medium' },
  '& th button': { whiteSpace: 'normal', textAlign: 'inherit', fontSize: 'xs' },
  '& td': { py: '1', height: '10', verticalAlign: 'middle' },
  // Right-aligned figures would touch the next column.
  '& [data-figures]:not(:last-child)': { paddingInlineEnd: '5' },
  // A second line belongs to the row above.
  '& [data-continued]': { borderBottomWidth: '0' },
  '& [data-below] td': { height: 'auto', pt: '0', pb: '2' },
  [narrowPage]: asCards,
  [narrowList]: asCards,
  [narrowBroadList]: asCards,
} as const;
