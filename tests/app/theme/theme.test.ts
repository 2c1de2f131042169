import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recipes } from '#app/theme/recipes.ts';
import { slotRecipes } from '#app/theme/slotRecipes.ts';
import { semanticTokens } from '#app/theme/tokens.ts';

/** What has no look of its own, and what is no component. */
const plain = [
  'Box',
  'Flex',
  'Grid',
  'Text',
  'chakra',
  'ChakraProvider',
  'createRecipeContext',
  'createSlotRecipeContext',
];

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx$/.test(file))
  .map((file) => readFileSync(join('src', file), 'utf8'));

it('every used component of Chakra has its recipe, without which it would have no style', () => {
  const lists = sources.flatMap((source) => source.match(/(?<=import \{)[^}]*(?=\} from '@chakra-ui\/react')/g) ?? []);
  const used = new Set(lists.flatMap((list) => list.split(',')).map((name) => name.trim().split(' ')[0] ?? ''));
  const styled = Object.keys({ ...recipes, ...slotRecipes }).map((key) => key.charAt(0).toUpperCase() + key.slice(1));
  expect([...used].filter((name) => name && !plain.includes(name) && !styled.includes(name))).toEqual([]);
});

it('every recipe that a component names is in the theme', () => {
  const named = (create: string) =>
    sources.flatMap((source) =>
      [...source.matchAll(new RegExp(`${create}\\(\\{ key: '(\\w+)'`, 'g'))].map(([, key]) => key),
    );
  expect(Object.keys(recipes)).toEqual(expect.arrayContaining(named('createRecipeContext')));
  expect(Object.keys(slotRecipes)).toEqual(expect.arrayContaining(named('createSlotRecipeContext')));
});

/** Relative luminance of #rrggbb (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

it.each(['_light', '_dark'] as const)('texts and boundaries contrast with their backgrounds in %s', (mode) => {
  const { bg, fg, accent, border, ...states } = semanticTokens.colors;
  const { done, waiting, failed } = states;
  const of = (shades: { value: Record<'_light' | '_dark', string> }) => shades.value[mode];
  const texts = [fg.DEFAULT, fg.muted, accent.DEFAULT, done.DEFAULT, waiting.DEFAULT, failed.DEFAULT];
  const pairs = [
    ...texts.flatMap((text) => [bg.DEFAULT, bg.subtle, bg.muted].map((under) => [text, under] as const)),
    ...[accent, done, waiting, failed].map((state) => [state.DEFAULT, state.subtle] as const),
    ...[accent, done, waiting, failed].map((state) => [fg.DEFAULT, state.subtle] as const),
    [accent.contrast, accent.DEFAULT] as const,
    [accent.contrast, accent.hover] as const,
  ];
  expect(pairs.filter(([text, under]) => contrast(of(text), of(under)) < 4.5)).toEqual([]);
  expect(contrast(of(border.control), of(bg.DEFAULT))).toBeGreaterThanOrEqual(3);
});
