import { defineRecipe } from '@chakra-ui/react';

/**
 * The style recipes of components with one part; slotRecipes.ts has the others. A component of Chakra without a recipe is
 * rendered without styles.
 */

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
      solid: {
        bg: 'accent',
        color: 'accent.contrast',
        _hover: { bg: 'accent.hover' },
        // Forced colours give every button the same background.
        '@media (forced-colors: active)': { borderWidth: '2px', borderColor: 'Highlight', fontWeight: 'semibold' },
      },
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

/** A word or two about the state of a thing. The tones are those of src/ui/Badge.tsx. */
const badge = defineRecipe({
  className: 'badge',
  base: {
    display: 'inline-flex',
    gap: '1',
    px: '1.5',
    borderRadius: 'sm',
    fontWeight: 'medium',
    fontSize: 'sm',
    // Forced colours remove the background and show the border.
    borderWidth: '1px',
    borderColor: 'transparent',
    // On a narrow page, breaks a long status rather than widening the page.
    maxWidth: 'full',
    overflowWrap: 'anywhere',
    whiteSpace: { base: 'normal', sm: 'nowrap' },
    '&:is(button)': { minHeight: '6', alignItems: 'center', cursor: 'pointer' },
    '&[aria-pressed=true]': { outline: '2px solid', outlineColor: 'accent' },
  },
  variants: {
    tone: {
      idle: { color: 'fg.muted', bg: 'bg.muted' },
      done: { color: 'done', bg: 'done.subtle' },
      next: { color: 'accent', bg: 'accent.subtle' },
      waiting: { color: 'waiting', bg: 'waiting.subtle' },
      partial: { color: 'waiting', bg: 'waiting.subtle' },
      back: { color: 'waiting', bg: 'waiting.subtle' },
      blocked: { color: 'waiting', bg: 'waiting.subtle' },
      failed: { color: 'failed', bg: 'failed.subtle' },
      live: { color: 'live.contrast', bg: 'live' },
    },
  },
});

/** The mark of a row in an ordered list: a thick ring for the current row, a thin one for later rows. */
const statusDot = defineRecipe({
  className: 'status-dot',
  base: {
    flex: 'none',
    display: 'grid',
    placeItems: 'center',
    borderRadius: 'full',
    borderStyle: 'solid',
    borderWidth: '1.5px',
    borderColor: 'border',
    bg: 'bg',
    color: 'bg',
    lineHeight: '1',
  },
  variants: {
    size: {
      md: { width: '4', height: '4', fontSize: '10px' },
      /** Before a page's heading. */
      lg: { width: '7', height: '7', fontSize: '16px' },
    },
    tone: {
      idle: {},
      done: { bg: 'done', borderColor: 'done' },
      next: { borderWidth: '5px', borderColor: 'accent' },
      waiting: { borderWidth: '5px', borderColor: 'waiting' },
      partial: {
        borderColor: 'waiting',
        backgroundImage: 'linear-gradient(90deg, transparent 50%, var(--chakra-colors-waiting) 50%)',
      },
      back: { bg: 'waiting', borderColor: 'waiting' },
      blocked: { borderWidth: '5px', borderColor: 'waiting' },
      failed: { bg: 'failed', borderColor: 'failed' },
    },
  },
  defaultVariants: { size: 'md' },
});

const card = defineRecipe({
  className: 'card',
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    alignContent: 'start',
    minWidth: '0',
    bg: 'bg',
    borderWidth: '1px',
    borderRadius: 'lg',
  },
  variants: {
    size: {
      sm: { px: '4', py: '2' },
      md: { p: '5' },
      lg: { p: { base: '4', sm: '6' } },
    },
    /** Covers what is below it, such as the panel that a button of the top bar discloses. */
    floating: {
      true: {
        p: '1',
        borderRadius: 'md',
        position: 'absolute',
        zIndex: 'panel',
        minWidth: '12rem',
        boxShadow: '0 8px 24px rgb(0 0 0 / 0.12)',
      },
    },
  },
});

/** A notice within the page. */
const callout = defineRecipe({
  className: 'callout',
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: '2',
    minWidth: '0',
    borderInlineStartWidth: '4px',
    // Forced colours remove the background: the edge goes all round.
    '@media (forced-colors: active)': { borderWidth: '1px', borderInlineStartWidth: '4px' },
  },
  variants: {
    tone: {
      done: { borderColor: 'done', bg: 'done.subtle' },
      next: { borderColor: 'accent', bg: 'accent.subtle' },
      waiting: { borderColor: 'waiting', bg: 'waiting.subtle' },
      failed: { borderColor: 'failed', bg: 'failed.subtle' },
    },
    size: { sm: { px: '3', py: '2' }, md: { p: '4' } },
  },
  defaultVariants: { size: 'md' },
});

/** A text that is shown as it is, and scrolls. */
const codeBlock = defineRecipe({
  className: 'code-block',
  base: {
    minWidth: '0',
    maxHeight: '16rem',
    overflow: 'auto',
    p: '2',
    bg: 'bg.subtle',
    borderWidth: '1px',
    borderRadius: 'sm',
    fontFamily: 'mono',
    fontSize: 'sm',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

const input = defineRecipe({
  className: 'input',
  base: {
    width: 'full',
    minWidth: '0',
    px: '3',
    appearance: 'none',
    bg: 'bg',
    color: 'fg',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'md',
    _invalid: { borderColor: 'failed' },
    _disabled: {
      bg: 'bg.muted',
      color: 'fg.muted',
      borderColor: 'border',
      borderStyle: 'dashed',
      cursor: 'not-allowed',
      '@media (forced-colors: active)': { color: 'GrayText', borderColor: 'GrayText' },
    },
  },
  variants: {
    size: {
      sm: { height: '7', fontSize: 'sm' },
      md: { height: '9', fontSize: 'md' },
      lines: { height: 'auto', py: '1.5', fontSize: 'md' },
    },
  },
  defaultVariants: { size: 'md' },
});

export const recipes = { badge, button, callout, card, codeBlock, heading, input, link, statusDot };
