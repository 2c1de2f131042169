import { chakra, createRecipeContext } from '@chakra-ui/react';
import type { HTMLChakraProps } from '@chakra-ui/react';
import type { Tone } from './Badge.tsx';

type BoxProps = HTMLChakraProps<'div'>;

/** Children below each other. They are never wider than the stack, however long their words are. */
export const Stack = chakra('div', { base: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' } });

/** A bordered surface that groups related content; `floating`, it covers what is below it. */
export const Card = createRecipeContext({ key: 'card' }).withContext<
  HTMLDivElement,
  BoxProps & { size?: 'sm' | 'md' | 'lg'; floating?: boolean }
>('div');

/** A notice within the page. */
export const Callout = createRecipeContext({ key: 'callout' }).withContext<
  HTMLDivElement,
  BoxProps & { tone: Extract<Tone, 'done' | 'next' | 'waiting' | 'failed'>; size?: 'sm' | 'md' }
>('div');

/** A text that is shown as it is. It scrolls, also by keyboard. */
export const CodeBlock = createRecipeContext({ key: 'codeBlock' }).withContext<HTMLPreElement, HTMLChakraProps<'pre'>>(
  'pre',
  { defaultProps: { tabIndex: 0 } },
);
