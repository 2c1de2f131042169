import { defineConfig } from '@chakra-ui/react';

/**
 * What Chakra's `preset-base` has and the pages use: its conditions, abbreviations and properties with tokens, by the
 * category of their tokens. A property that is absent here takes its value as it is. The preset itself is 5 kB of gzip;
 * tests/ui/base.test.ts compares each style of the pages with it.
 */

const spacing = {
  columnGap: [],
  gap: [],
  rowGap: [],
  inset: [],
  insetBlock: [],
  insetInline: [],
  insetInlineEnd: ['insetEnd'],
  insetInlineStart: ['insetStart'],
  bottom: [],
  left: [],
  right: [],
  top: [],
  margin: ['m'],
  marginBottom: ['mb'],
  marginInline: ['mx'],
  marginInlineEnd: ['me'],
  marginInlineStart: ['ms'],
  marginTop: ['mt'],
  padding: ['p'],
  paddingBlock: ['py'],
  paddingBottom: ['pb'],
  paddingInline: ['px'],
  paddingInlineEnd: ['pe'],
  paddingInlineStart: ['ps'],
  paddingTop: ['pt'],
  scrollMarginBottom: [],
  scrollMarginTop: [],
  scrollPaddingBottom: [],
  scrollPaddingTop: [],
};

const sizes = {
  flexBasis: [],
  height: [],
  maxHeight: [],
  maxWidth: [],
  minHeight: [],
  minWidth: [],
  width: [],
};

const colors = {
  accentColor: [],
  background: ['bg'],
  borderColor: [],
  color: [],
  fill: [],
  outlineColor: [],
  stroke: [],
  textDecorationColor: [],
};

const others = {
  borderRadius: 'radii',
  fontFamily: 'fonts',
  fontSize: 'fontSizes',
  fontWeight: 'fontWeights',
  lineHeight: 'lineHeights',
  zIndex: 'zIndex',
} as const;

const withTokens = (values: 'spacing' | 'sizes' | 'colors', properties: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(properties).map(([name, shorthand]) => [name, { values, shorthand }]));

/** Hides an element from, or below, the width of a breakpoint. */
const hide = (suffix: string) => ({
  values: 'breakpoints' as const,
  transform: (_: unknown, { raw }: { raw: string }) => ({ [`@breakpoint ${raw}${suffix}`]: { display: 'none' } }),
});

export const base = defineConfig({
  conditions: {
    hover: ['@media (hover: hover)', '&:is(:hover, [data-hover]):not(:disabled, [data-disabled])'],
    focus: '&:is(:focus, [data-focus])',
    focusVisible: '&:is(:focus-visible, [data-focus-visible])',
    groupFocusWithin: '.group:focus-within &',
    groupHover: '.group:is(:hover, [data-hover]):not(:disabled, [data-disabled]) &',
    disabled: '&:is(:disabled, [disabled], [data-disabled], [aria-disabled=true])',
    checked: '&:is(:checked, [data-checked], [aria-checked=true], [data-state=checked])',
    expanded: '&:is([aria-expanded=true], [data-expanded], [data-state=expanded])',
    invalid: '&:is([data-invalid], [aria-invalid=true], [data-state=invalid])',
    empty: '&:is(:empty, [data-empty])',
    first: '&:first-of-type',
    notFirst: '&:not(:first-of-type)',
    notLast: '&:not(:last-of-type)',
    before: '&::before',
    after: '&::after',
    motionReduce: '@media (prefers-reduced-motion: reduce)',
    print: '@media print',
    dark: '.dark &, .dark .chakra-theme:not(.light) &',
    light: ':root &, .light &',
  },
  utilities: {
    ...withTokens('spacing', spacing),
    ...withTokens('sizes', sizes),
    ...withTokens('colors', colors),
    ...Object.fromEntries(Object.entries(others).map(([name, values]) => [name, { values }])),
    backgroundImage: { shorthand: ['bgImage'] },
    borderInlineStartWidth: { shorthand: ['borderStartWidth'] },
    borderInlineEndWidth: { shorthand: ['borderEndWidth'] },
    hideBelow: hide('Down'),
    hideFrom: hide(''),
    lineClamp: {
      transform: (lines: string | number) =>
        lines === 'none'
          ? { WebkitLineClamp: 'unset' }
          : {
              display: '-webkit-box',
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: lines,
              overflow: 'hidden',
              textWrap: 'wrap',
            },
    },
    /** Only for screen readers. */
    srOnly: {
      transform: (isSet: unknown) =>
        isSet === true
          ? {
              position: 'absolute',
              width: '1px',
              height: '1px',
              margin: '-1px',
              padding: '0',
              borderWidth: '0',
              overflow: 'hidden',
              clip: 'rect(0, 0, 0, 0)',
              whiteSpace: 'nowrap',
            }
          : {},
    },
    truncate: {
      transform: (isSet: unknown) =>
        isSet === true ? { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } : {},
    },
  },
});
