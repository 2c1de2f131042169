import { defineTokens } from '@chakra-ui/react';

const rem = (value: string) => ({ value });

/** The 4 px grid: the name is the number of grid steps. */
const grid = Object.fromEntries(
  [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16].map((steps) => [String(steps), rem(`${steps / 4}rem`)]),
);

export const tokens = defineTokens({
  fonts: {
    body: { value: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif' },
    heading: { value: '{fonts.body}' },
    mono: { value: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace' },
  },
  fontSizes: {
    xs: rem('0.75rem'),
    sm: rem('0.8125rem'),
    md: rem('0.875rem'),
    lg: rem('1rem'),
    xl: rem('1.25rem'),
    '2xl': rem('1.625rem'),
  },
  fontWeights: { normal: { value: '400' }, medium: { value: '500' }, semibold: { value: '600' } },
  lineHeights: { tight: { value: '1.25' }, normal: { value: '1.5' } },
  spacing: grid,
  sizes: {
    ...grid,
    full: { value: '100%' },
    measure: rem('40rem'),
    // As wide as a field's label.
    form: rem('35rem'),
    // Presentation defaults (behaviour, section 9), where it gives no unit taken as rem.
    page: rem('100rem'),
    provider: rem('15rem'),
    label: rem('35rem'),
    list: { value: '180px' },
    popover: { value: '870px' },
    sidebar: { min: { value: '214px' }, max: { value: '814px' } },
  },
  radii: { sm: { value: '4px' }, md: { value: '6px' }, full: { value: '999px' } },
  zIndex: { bar: { value: 10 }, panel: { value: 20 }, skip: { value: 30 } },
});

const shades = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });

/**
 * Colours by their use, for light and dark. One accent; done, waiting, blocked and failed only ever mean a state.
 * Texts have at least 4.5:1 on every background listed here, boundaries of controls 3:1 (WCAG 2.2 AA).
 */
export const semanticTokens = {
  colors: {
    bg: {
      DEFAULT: shades('#ffffff', '#101418'),
      subtle: shades('#f5f7f8', '#171c21'),
      muted: shades('#e9edf0', '#222930'),
    },
    fg: { DEFAULT: shades('#15191d', '#e6eaee'), muted: shades('#505b66', '#9fabb6') },
    border: { DEFAULT: shades('#d8dee3', '#2d353d'), control: shades('#7f8a95', '#6f7b87') },
    accent: {
      DEFAULT: shades('#0a5a7d', '#6cc4e8'),
      contrast: shades('#ffffff', '#08222e'),
      subtle: shades('#e4f1f7', '#12303d'),
      hover: shades('#084862', '#93d5f0'),
    },
    done: { DEFAULT: shades('#176b34', '#5fcf83'), subtle: shades('#e6f4ea', '#12301d') },
    waiting: { DEFAULT: shades('#7d5200', '#e5b84b'), subtle: shades('#fbf1dc', '#33270c') },
    blocked: { DEFAULT: shades('#614497', '#bba5ea'), subtle: shades('#f0ebf9', '#281f3a') },
    failed: { DEFAULT: shades('#a8211a', '#ff968c'), subtle: shades('#fdeceb', '#3c1714') },
  },
};
