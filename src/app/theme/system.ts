import { createSystem, defineConfig } from '@chakra-ui/react';
import { base } from './base.ts';
import { recipes } from './recipes.ts';
import { slotRecipes } from './slotRecipes.ts';
import { semanticTokens, tokens } from './tokens.ts';

/** The user's system overrides the colours of all pages. */
const ownColours = '@media (forced-colors: active)';

const globalStyles = defineConfig({
  preflight: true,
  globalCss: {
    html: {
      bg: 'bg',
      color: 'fg',
      fontFamily: 'body',
      fontSize: '100%',
      // A page that grows longer than the window keeps its grid.
      scrollbarGutter: 'stable',
      // For body text; larger font sizes set their own.
      lineHeight: 'md',
      '&.light': { colorScheme: 'light' },
      '&.dark': { colorScheme: 'dark' },
      // Prints the background colours of marks, but not that of the page.
      _print: { printColorAdjust: 'exact', '--chakra-colors-bg-subtle': 'white !important' },
      // Keeps a focused element clear of the fixed bars.
      scrollPaddingTop: { base: '1rem', lg: 'calc({sizes.above} + 1rem)' },
      scrollPaddingBottom: 'calc(var(--below, 5rem) + 1rem)',
    },
    // Wraps unbroken words of any length. Bidirectional control characters (such as U+202E) in a provider's texts do
    // not affect the text around them.
    body: { fontSize: 'md', overflowWrap: 'anywhere' },
    // A table scrolls horizontally in its own frame instead of squeezing columns to single letters.
    'td, th': { overflowWrap: 'break-word', maxWidth: '36rem', _print: { whiteSpace: 'normal' } },
    'p, li, td, th, dt, dd, h1, h2, h3, label, code, pre, option, button, a, summary, span': { unicodeBidi: 'isolate' },
    '*': {
      borderColor: 'border',
      // As the body's; with the preflight's `break-word`, a long word widens the grid or flex box around it.
      overflowWrap: 'inherit',
      // An animation ends immediately, because code may wait for its end; even a short transition would run on every
      // element of the page.
      _motionReduce: { animationDuration: '0.01ms', animationIterationCount: 1, transitionDuration: '0s' },
    },
    '::placeholder': { color: 'fg.muted' },
    ':focus-visible': { outline: '2px solid', outlineColor: 'accent', outlineOffset: '2px' },
    // The button in a date field takes the focus instead of the field.
    'input[type=date]:focus-within': { outline: '2px solid', outlineColor: 'accent', outlineOffset: '2px' },
    'h1:focus': { outline: 'none' },
    'code, pre, kbd, samp': { fontFamily: 'mono', fontSize: '0.929em' },
    code: { overflowWrap: 'anywhere' },
    // Replaces the backgrounds that forced colours remove.
    '[aria-selected=true], [aria-pressed=true], [aria-current]:not([aria-current=false]), [data-chooses][aria-expanded=true], [data-lit], [data-wrong], [role=option][data-active=true]':
      { [ownColours]: { outline: '2px solid Highlight', outlineOffset: '-2px' } },
    // Differs from the outline of a selected element, which may have the focus as well.
    '*:focus-visible': { [ownColours]: { outline: '4px double' } },
    '[role=progressbar]': { [ownColours]: { border: '1px solid' } },
    '[role=progressbar] > *': { [ownColours]: { forcedColorAdjust: 'none', bg: 'Highlight' } },
    // Nothing can be pressed or scrolled on paper. The sort button in a column's header stays: it is the column's name.
    '.button:not(th *), input[type=search], [role=tab][aria-selected=false]': {
      _print: { display: 'none !important' },
    },
    '[tabindex="0"]': { _print: { overflow: 'visible !important', maxHeight: 'none !important' } },
  },
});

const config = defineConfig({
  theme: {
    // From `md`, the inspector is beside the step; from `lg`, so is the rail.
    breakpoints: { sm: '30rem', md: '50rem', lg: '68.75rem', xl: '80rem' },
    keyframes: { pulse: { '50%': { opacity: '0.5' } } },
    tokens,
    semanticTokens,
    recipes,
    slotRecipes,
  },
});

/** Whether the document has the global styles already, as a prerendered one has. */
const hasGlobalStyles =
  typeof document !== 'undefined' && document.querySelector('style[data-emotion^="css-global"]') !== null;

/**
 * The console's Chakra system: only the recipes in use, without Chakra's default theme. A document that has the global
 * styles keeps them, because computing and inserting them again delays the first use of the page.
 */
export const system = hasGlobalStyles
  ? { ...createSystem(base, config), _global: [] }
  : createSystem(base, config, globalStyles);
