import { chakra } from '@chakra-ui/react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { showWithin } from '../showWithin.ts';
import { JsonLine, lineHeight } from './JsonLine.tsx';
import { surrounds, type Line } from './lines.ts';
import { LinesInSight } from './LinesInSight.tsx';

/**
 * Up to this number, all lines are rendered, so that the browser's search finds them; beyond it, only the visible ones.
 */
const allDrawn = 400;
/** Height, in rem, of the scrolling frame for more lines. */
const frameHeight = 35;

interface JsonTreeProps {
  /** Accessible name of the tree. */
  what: string;
  lines: readonly Line[];
  term: string;
  /** Pointer of the highlighted value. */
  lit: string | undefined;
  /** Pointer of the selected line. */
  active: string;
  /** `onActive` and `onToggle` must be stable functions, or every line renders on each change. */
  onActive: (pointer: string) => void;
  onToggle: (pointer: string, open: boolean) => void;
}

/** The line that a key selects, starting from index `from`; undefined if there is none. */
function lineBy(key: string, lines: readonly Line[], from: number): Line | undefined {
  const items = (start: number, step: number) => {
    for (let at = start; lines[at]; at += step) if (lines[at]!.kind !== 'end') return lines[at];
    return undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return items(from + 1, 1);
    case 'ArrowUp':
      return items(from - 1, -1);
    case 'Home':
      return lines[0];
    case 'End':
      return items(lines.length - 1, -1);
    case 'ArrowLeft':
      return lines.slice(0, from).findLast(({ kind, depth }) => kind !== 'end' && depth < (lines[from]?.depth ?? 0));
    case 'ArrowRight':
      return items(from + 1, 1);
    default:
      return undefined;
  }
}

/** The index of the line to scroll to: whichever of the two indices changed last. */
function useSight(wanted: number | undefined, here: number | undefined): number | undefined {
  const [kept, setKept] = useState({ wanted, here, sight: wanted });
  if (kept.wanted === wanted && kept.here === here) return kept.sight;
  const sight = kept.here === here ? wanted : here;
  setKept({ wanted, here, sight });
  return sight;
}

/**
 * The lines of JSON as a tree with a single tab stop. Long lines wrap; among many lines each stays on one, so that all have
 * the same height and scrolling is steady.
 */
export function JsonTree({ what, lines, term, lit, active, onActive, onToggle }: JsonTreeProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const virtual = lines.length > allDrawn;
  const indexOf = useMemo(() => new Map(lines.flatMap((line, index) => line.kind === 'end' ? [] : [[line.pointer, index]])), [lines]); // prettier-ignore
  /** Pointer of the highlighted value, or of the folded branch that contains it. */
  const shown = useMemo(() => {
    if (lit === undefined) return undefined;
    if (indexOf.has(lit)) return lit;
    return lines.findLast(({ pointer, open }) => open === false && surrounds(pointer, lit))?.pointer;
  }, [lines, indexOf, lit]);
  const wanted = shown === undefined ? undefined : indexOf.get(shown);
  const here = indexOf.get(active || (shown ?? '')) ?? 0;
  const sight = useSight(wanted, active === '' ? undefined : here);
  useEffect(() => {
    if (virtual || sight === undefined) return;
    const line = document.getElementById(`${id}${sight}`);
    const isAtWork = frame.current?.closest('[role=group]')?.contains(document.activeElement);
    // With the focus elsewhere, such as in the field whose line is highlighted, the page must not scroll.
    if (line && isAtWork) line.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    else if (line) showWithin(line);
  }, [id, virtual, sight]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { open } = lines[here] ?? {};
    const toggles =
      event.key === 'Enter' ||
      event.key === ' ' ||
      (event.key === 'ArrowRight' && open === false) ||
      (event.key === 'ArrowLeft' && open === true);
    const next = toggles ? undefined : lineBy(event.key, lines, here);
    if (!toggles && !next) return;
    event.preventDefault();
    if (next) onActive(next.pointer);
    else if (open !== undefined) onToggle(lines[here]?.pointer ?? '', !open);
  };
  const draw = (line: Line, index: number, top?: number) => (
    <JsonLine
      key={index}
      id={`${id}${index}`}
      line={line}
      term={term}
      lit={shown !== undefined && surrounds(shown, line.pointer)}
      active={index === here && active !== ''}
      {...(top !== undefined && { top })}
      onChoose={onActive}
      onToggle={onToggle}
    />
  );
  return (
    <chakra.div
      ref={frame}
      role="tree"
      aria-label={what}
      aria-activedescendant={`${id}${here}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      overflow="auto"
      maxHeight={virtual ? `${frameHeight}rem` : undefined}
      translate="no"
      fontFamily="mono"
      fontSize="sm"
      lineHeight={`${lineHeight}rem`}
      css={{
        '& span': { unicodeBidi: 'isolate' },
        // Whole between the bars of a low window: the browser shows the end of a higher one, whose beginning a bar covers.
        '@media (max-height: 40rem)': {
          maxHeight: 'max(6rem, calc(100dvh - {sizes.above} - var(--below, 5rem) - 2rem))',
        },
      }}
    >
      {virtual ? (
        <LinesInSight lines={lines} frame={frame} frameHeight={frameHeight} sight={sight} draw={draw} />
      ) : (
        lines.map((line, index) => draw(line, index))
      )}
    </chakra.div>
  );
}
