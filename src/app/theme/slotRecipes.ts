import { defineSlotRecipe } from '@chakra-ui/react';

/** The style recipes of components with several parts. */

const table = defineSlotRecipe({
  className: 'table',
  slots: ['root', 'header', 'body', 'row', 'columnHeader', 'cell', 'footer'],
  base: {
    root: { width: 'full', borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums', fontSize: 'sm' },
    row: { borderBottomWidth: '1px', borderColor: 'border' },
    columnHeader: { textAlign: 'start', fontWeight: 'semibold', py: '1.5', pe: '3', whiteSpace: 'nowrap' },
    cell: { textAlign: 'start', verticalAlign: 'top', py: '1.5', pe: '3' },
  },
});

const dialog = defineSlotRecipe({
  className: 'dialog',
  slots: ['content', 'title', 'footer'],
  base: {
    content: { bg: 'bg', color: 'fg', borderWidth: '1px', '&::backdrop': { bg: 'rgb(0 0 0 / 0.5)' } },
    title: { mb: '2' },
    footer: { display: 'flex', flexWrap: 'wrap', gap: '2', mt: '5' },
  },
  variants: {
    placement: {
      centre: {
        content: { m: 'auto', width: 'calc(100% - 2rem)', maxWidth: 'form', p: '5', borderRadius: 'md' },
      },
      top: {
        content: {
          mx: 'auto',
          mt: '12',
          width: 'calc(100% - 2rem)',
          maxWidth: 'form',
          // The browser's maximum for a dialog ignores its distance from the top.
          maxHeight: 'calc(100dvh - 4rem)',
          borderRadius: 'md',
        },
      },
      side: {
        content: {
          position: 'fixed',
          inset: '0 auto 0 0',
          m: '0',
          width: 'min(20rem, 100%)',
          height: '100dvh',
          maxHeight: '100dvh',
          p: '6',
          borderWidth: '0',
          borderEndWidth: '1px',
          overflow: 'auto',
        },
      },
    },
  },
});

const field = defineSlotRecipe({
  className: 'field',
  slots: ['root', 'label', 'helperText', 'errorText'],
  base: {
    root: {
      display: 'flex',
      flexDirection: 'column',
      gap: '1',
      width: 'full',
      minWidth: '0',
      overflowWrap: 'anywhere',
    },
    label: {
      fontSize: 'sm',
      fontWeight: 'medium',
      width: 'label',
      maxWidth: 'full',
      // Without a text for screen readers: the control says that it is required.
      '&[data-required]::after': { content: '" *" / ""', color: 'failed' },
    },
    helperText: { color: 'fg.muted', fontSize: 'xs', lineHeight: 'xs' },
    errorText: { color: 'failed', fontSize: 'xs', lineHeight: 'xs', fontWeight: 'medium' },
  },
});

const tabs = defineSlotRecipe({
  className: 'tabs',
  slots: ['root', 'list', 'trigger'],
  base: {
    root: { display: 'flex', justifyContent: 'space-between', gap: '1', borderBottomWidth: '1px', px: '5', pt: '3' },
    list: { display: 'flex', gap: '1', mb: '-1px', minWidth: '0', overflowX: 'auto' },
    trigger: {
      flexShrink: '0',
      px: '2',
      py: '2',
      cursor: 'pointer',
      fontSize: 'sm',
      lineHeight: 'sm',
      color: 'fg.muted',
      borderBottomWidth: '2px',
      borderColor: 'transparent',
      _hover: { color: 'fg' },
      _focusVisible: { outlineOffset: '-2px' },
      '&[aria-selected=true]': { color: 'fg', fontWeight: 'medium', borderColor: 'accent' },
    },
  },
});

const segmentGroup = defineSlotRecipe({
  className: 'segment-group',
  slots: ['root', 'item'],
  base: {
    root: { display: 'flex', flexWrap: 'wrap', borderWidth: '1px', borderRadius: 'md', overflow: 'hidden' },
    item: {
      px: '3',
      minHeight: '7',
      cursor: 'pointer',
      fontSize: 'sm',
      color: 'fg.muted',
      _hover: { bg: 'bg.muted' },
      _focusVisible: { outlineOffset: '-2px' },
      '&[aria-pressed=true]': { bg: 'bg.muted', color: 'fg' },
    },
  },
});

export const slotRecipes = { dialog, field, segmentGroup, table, tabs };
