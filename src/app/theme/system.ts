import { createSystem, defineConfig } from '@chakra-ui/react';
import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import { recipes, slotRecipes } from './recipes.ts';
import { semanticTokens, tokens } from './tokens.ts';

const config = defineConfig({
  preflight: true,
  globalCss: {
    html: {
      bg: 'bg',
      color: 'fg',
      fontFamily: 'body',
      fontSize: '100%',
      // Of the body's type; larger type has its own.
      lineHeight: 'md',
      '&.light': { colorScheme: 'light' },
      '&.dark': { colorScheme: 'dark' },
      // What has focus is not hidden behind the fixed bars.
      scrollPaddingTop: { base: '1rem', lg: '4rem' },
      scrollPaddingBottom: 'calc(var(--below, 5rem) + 1rem)',
    },
    // One unbroken word of any length wraps; texts of providers turn nothing around them (U+202E and its like).
    body: { fontSize: 'md', overflowWrap: 'anywhere' },
    // A table scrolls sideways within itself; its columns are not squeezed to a letter.
    'td, th': { overflowWrap: 'break-word', maxWidth: '36rem' },
    'p, li, td, th, dt, dd, h1, h2, h3, label, code, pre, option, button, a, summary, span': { unicodeBidi: 'isolate' },
    '*': { borderColor: 'border', _motionReduce: { animationDuration: '0.01ms', transitionDuration: '0.01ms' } },
    '::placeholder': { color: 'fg.muted' },
    ':focus-visible': { outline: '2px solid', outlineColor: 'accent', outlineOffset: '2px' },
    // The button within a date's field has the focus for it.
    'input[type=date]:focus-within': { outline: '2px solid', outlineColor: 'accent', outlineOffset: '2px' },
    'h1:focus': { outline: 'none' },
    'code, pre, kbd, samp': { fontFamily: 'mono', fontSize: '0.929em' },
    code: { overflowWrap: 'anywhere' },
    'dialog::backdrop': { bg: 'rgb(0 0 0 / 0.5)' },
  },
  theme: {
    // From `md` on the inspector stands beside the step, from `lg` on the rail.
    breakpoints: { sm: '30rem', md: '50rem', lg: '68.75rem', xl: '80rem' },
    keyframes: { pulse: { '50%': { opacity: '0.5' } } },
    tokens,
    semanticTokens,
    recipes,
    slotRecipes,
  },
});

/** The console's own Chakra system: only the recipes that are used, none of Chakra's default theme. */
export const system = createSystem(defaultBaseConfig, config);
