import { defineTokens } from '@chakra-ui/react';

const rem = (value: string) => ({ value });

/** The 4 px grid; each name is the number of grid steps. */
const grid = Object.fromEntries(
  [0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16].map((steps) => [String(steps), rem(`${steps / 4}rem`)]),
);

/** Widths in px within which the column beside a step can be resized (behaviour, section 9). */
export const sidebar = { least: 214, most: 814 } as const;

export const tokens = defineTokens({
  fonts: {
    // Inter and JetBrains Mono are used if installed; no font is downloaded.
    body: { value: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif' },
    heading: { value: '{fonts.body}' },
    mono: { value: '"JetBrains Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace' },
  },
  // Three sizes: the one title, headings, all else. The names are for what is said, and for their line heights.
  fontSizes: {
    xs: rem('0.8125rem'),
    sm: rem('0.8125rem'),
    md: rem('0.8125rem'),
    lg: rem('1rem'),
    xl: rem('1rem'),
    '2xl': rem('1.75rem'),
  },
  fontWeights: { normal: { value: '400' }, medium: { value: '500' }, semibold: { value: '600' } },
  // One for each font size; `tight` for single lines.
  lineHeights: {
    tight: { value: '1.25' },
    xs: rem('1rem'),
    sm: rem('1.25rem'),
    md: rem('1.25rem'),
    lg: rem('1.5rem'),
    xl: rem('1.5rem'),
    '2xl': rem('2.25rem'),
  },
  spacing: grid,
  sizes: {
    ...grid,
    full: { value: '100%' },
    measure: rem('40rem'),
    // As wide as a field's label.
    form: rem('35rem'),
    // Presentation defaults (behaviour, section 9; docs/decisions/0012).
    page: { value: '1600px' },
    // The regions of a step and the bars around them.
    rail: rem('13.75rem'),
    step: rem('35rem'),
    inspector: rem('25rem'),
    /** At least; its own height is measured (src/app/frame/useHeightVariable.ts). */
    top: rem('3rem'),
    above: { value: 'var(--above, 3rem)' },
    bar: rem('3.5rem'),
    provider: rem('15rem'),
    label: rem('35rem'),
    list: { value: '180px' },
    popover: { value: '870px' },
    sidebar: { min: { value: `${sidebar.least}px` }, max: { value: `${sidebar.most}px` } },
  },
  radii: {
    xs: { value: '4px' },
    sm: { value: '6px' },
    md: { value: '8px' },
    lg: { value: '12px' },
    full: { value: '999px' },
  },
  zIndex: { bar: { value: 10 }, panel: { value: 20 }, skip: { value: 30 } },
});

const shades = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });

/**
 * Colours by purpose, for light and dark mode. There is one accent colour; the others only indicate a state: done,
 * waiting (in progress, partial, or a gate), failed. `fg.faint` is for what has not begun, `live` for real money. Texts
 * have a contrast of at least 4.5:1 to their backgrounds, boundaries of controls 3:1 (WCAG 2.2 AA).
 */
export const semanticTokens = {
  colors: {
    bg: {
      DEFAULT: shades('#ffffff', '#101418'),
      subtle: shades('#f6f8fa', '#0b0e11'),
      muted: shades('#eef2f5', '#171c21'),
    },
    fg: {
      DEFAULT: shades('#14181c', '#e6eaee'),
      muted: shades('#56616c', '#9fabb6'),
      faint: shades('#68737d', '#7f8b96'),
    },
    border: { DEFAULT: shades('#dfe5ea', '#262e36'), control: shades('#7f8a95', '#6f7b87') },
    accent: {
      DEFAULT: shades('#0a5a7d', '#6cc4e8'),
      contrast: shades('#ffffff', '#08222e'),
      subtle: shades('#e6f2f8', '#12303d'),
      hover: shades('#084862', '#93d5f0'),
    },
    done: { DEFAULT: shades('#176b34', '#5fcf83'), subtle: shades('#e6f4ea', '#12301d') },
    waiting: { DEFAULT: shades('#7d5200', '#e5b84b'), subtle: shades('#fbf1dc', '#33270c') },
    failed: { DEFAULT: shades('#a8211a', '#ff968c'), subtle: shades('#fdeceb', '#3c1714') },
    /** Areas of a plot, which are larger than letters. */
    plot: {
      done: shades('#2e8b57', '#3f9f68'),
      failed: shades('#c2362c', '#e0645a'),
      read: shades('#7f8a95', '#6f7b87'),
    },
    live: {
      DEFAULT: shades('#b3261e', '#c62f26'),
      contrast: shades('#ffffff', '#ffffff'),
      hover: shades('#8f1d17', '#b3261e'),
      subtle: shades('#fdeceb', '#3c1714'),
      text: shades('#a8211a', '#ff968c'),
    },
    // JSON: keys are muted, strings and numbers have different colours.
    json: {
      key: shades('#56616c', '#9fabb6'),
      string: shades('#176b34', '#7fd79b'),
      number: shades('#0a5a7d', '#6cc4e8'),
    },
  },
};
