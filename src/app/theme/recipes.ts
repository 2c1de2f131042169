import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react';

/** The style recipes of Chakra components. A component without a recipe in this file is rendered without styles. */

const button = defineRecipe({
  className: 'button',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1.5',
    flexShrink: '0',
    borderWidth: '1px',
    borderColor: 'transparent',
    fontWeight: 'medium',
    lineHeight: 'tight',
    cursor: 'pointer',
    textDecoration: 'none',
    '&[aria-disabled=true]': { opacity: '0.65', cursor: 'default' },
  },
  variants: {
    variant: {
      solid: { bg: 'accent', color: 'accent.contrast', _hover: { bg: 'accent.hover' } },
      outline: { bg: 'bg', color: 'fg', borderColor: 'border', _hover: { bg: 'bg.muted' } },
      ghost: { bg: 'transparent', color: 'fg.muted', _hover: { bg: 'bg.muted' }, _expanded: { bg: 'bg.muted' } },
      /** For destructive actions, and for the tertiary Cancel of the bank screen (behaviour, section 2). */
      plain: { bg: 'transparent', color: 'failed', _hover: { bg: 'failed.subtle' } },
    },
    size: {
      sm: { minHeight: '7', minWidth: '7', px: '2.5', fontSize: 'sm', borderRadius: 'sm' },
      md: { minHeight: '9', minWidth: '9', px: '4', fontSize: 'md', borderRadius: 'md' },
    },
  },
  defaultVariants: { variant: 'outline', size: 'md' },
});

const heading = defineRecipe({
  className: 'heading',
  base: { fontFamily: 'heading', fontWeight: 'semibold', textWrap: 'balance' },
  variants: {
    size: {
      sm: { fontSize: 'sm', lineHeight: 'sm' },
      md: { fontSize: 'md', lineHeight: 'md' },
      lg: { fontSize: 'lg', lineHeight: 'lg', letterSpacing: '-0.01em' },
      xl: { fontSize: 'xl', lineHeight: 'xl', letterSpacing: '-0.01em' },
      '2xl': { fontSize: '2xl', lineHeight: '2xl', letterSpacing: '-0.02em' },
    },
  },
  defaultVariants: { size: 'lg' },
});

const link = defineRecipe({
  className: 'link',
  base: {
    color: 'accent',
    textDecoration: 'underline',
    textUnderlineOffset: '0.2em',
    _hover: { color: 'accent.hover' },
  },
});

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

export const recipes = { button, heading, link };
export const slotRecipes = { dialog, table };
