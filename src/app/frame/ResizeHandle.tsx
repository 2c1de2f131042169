import { chakra } from '@chakra-ui/react';
import type { KeyboardEvent, PointerEvent } from 'react';

/** The place of the edge, along the whole of what it resizes. */
const Track = chakra('div', {
  base: { position: 'absolute', zIndex: '1', _print: { display: 'none' } },
  variants: {
    edge: {
      top: { top: '-1', insetInline: '0', height: '2' },
      left: {
        display: { base: 'none', md: 'block' }, // what it resizes is not beside anything on a narrow page
        left: '-1',
        insetBlock: '0',
        width: '2',
      },
    },
  },
});

const Handle = chakra('div', {
  base: { touchAction: 'none', _hover: { bg: 'accent', opacity: '0.4' } },
  variants: {
    edge: {
      top: { height: 'full', cursor: 'ns-resize' },
      // Stays between the bars, where its focus is seen, however far the page is scrolled.
      left: {
        position: 'sticky',
        top: { base: '0', lg: '{sizes.above}' },
        height: {
          base: 'min(100%, calc(100dvh - var(--below, 5rem)))',
          lg: 'min(100%, calc(100dvh - {sizes.above} - var(--below, 5rem)))',
        },
        cursor: 'ew-resize',
      },
    },
  },
});

/** Steps in px of an arrow key and of a page key. */
const [small, large] = [16, 96];

/** For each edge, the arrow keys that enlarge and reduce what it bounds. */
const arrows = { top: ['ArrowUp', 'ArrowDown'], left: ['ArrowLeft', 'ArrowRight'] } as const;

/**
 * The edge of its parent that resizes the parent, by pointer or keyboard: arrow keys, Page Up and Page Down, Home for the
 * minimum, End for the maximum. Sizes in px; `onResize` may be given one outside of `least` to `most`.
 */
export function ResizeHandle(props: {
  edge: keyof typeof arrows;
  label: string;
  size: number;
  least: number;
  most: number;
  onResize: (size: number) => void;
}) {
  const { edge, label, size, least, most, onResize } = props;
  const [enlarges, reduces] = arrows[edge];
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      [enlarges]: size + small,
      [reduces]: size - small,
      PageUp: size + large,
      PageDown: size - large,
      Home: least,
      End: most,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onResize(to);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { right, bottom } = event.currentTarget.parentElement!.parentElement!.getBoundingClientRect(); // what it resizes, around the track
    onResize(edge === 'top' ? bottom - event.clientY : right - event.clientX);
  };
  return (
    <Track edge={edge}>
      <Handle
        edge={edge}
        role="separator"
        aria-orientation={edge === 'top' ? 'horizontal' : 'vertical'}
        aria-label={label}
        aria-valuenow={size}
        aria-valuemin={least}
        aria-valuemax={most}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      />
    </Track>
  );
}
