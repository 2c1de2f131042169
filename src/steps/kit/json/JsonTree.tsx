import { chakra } from '@chakra-ui/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useMemo, useRef, type KeyboardEvent } from 'react';
import { JsonLine, lineHeight } from './JsonLine.tsx';
import { surrounds, type Line } from './lines.ts';

/** Up to so many lines all are drawn, so that the browser's own search finds them; of more, those in sight. */
const allDrawn = 400;
/** Height in px of the frame in which more of them scroll. */
const frameHeight = 560;
/** Lines that are drawn beyond those in sight. */
const beyond = 20;
/** The longest text that decides about the width, in characters. */
const widest = 2100;

interface JsonTreeProps {
  lines: readonly Line[];
  term: string;
  /** Pointer of what is looked at, and of the line that the keyboard is on. */
  lit: string | undefined;
  active: string;
  /** Both the same functions on every drawing. */
  onActive: (pointer: string) => void;
  onToggle: (pointer: string, open: boolean) => void;
}

const lengthOf = ({ depth, name = '', text }: Line): number =>
  2 * depth + name.length + Math.min(text.length, widest) + 8;

/** The line to which a key leads from another; undefined if it leads nowhere. */
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

/** The lines of JSON as a tree, which is one stop for the keyboard; all lines are of one height, so that nothing jumps. */
export function JsonTree({ lines, term, lit, active, onActive, onToggle }: JsonTreeProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const virtual = lines.length > allDrawn;
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called here, and not handed on
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    initialRect: { width: 0, height: frameHeight },
    overscan: beyond,
    enabled: virtual,
  });
  const indexOf = useMemo(() => new Map(lines.flatMap((line, index) => line.kind === 'end' ? [] : [[line.pointer, index]])), [lines]); // prettier-ignore
  const here = indexOf.get(active) ?? 0;
  /** What is lit, or the folded branch that it is in. */
  const shown = useMemo(() => {
    if (lit === undefined) return undefined;
    if (indexOf.has(lit)) return lit;
    return lines.findLast(({ pointer, open }) => open === false && surrounds(pointer, lit))?.pointer;
  }, [lines, indexOf, lit]);
  const wanted = shown === undefined ? undefined : indexOf.get(shown);
  useEffect(() => {
    if (wanted === undefined) return;
    if (virtual) rows.scrollToIndex(wanted);
    else document.getElementById(`${id}${wanted}`)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when something else is lit
  }, [wanted]);
  const go = (line: Line) => {
    onActive(line.pointer);
    const index = indexOf.get(line.pointer) ?? 0;
    if (virtual) rows.scrollToIndex(index);
    else document.getElementById(`${id}${index}`)?.scrollIntoView?.({ block: 'nearest' });
  };
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
    if (next) go(next);
    else if (open !== undefined) onToggle(active, !open);
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
  const columns = useMemo(() => lines.reduce((most, line) => Math.max(most, lengthOf(line)), 0), [lines]);
  return (
    <chakra.div
      ref={frame}
      role="tree"
      aria-label="Lines"
      aria-activedescendant={`${id}${here}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      overflow="auto"
      maxHeight={virtual ? `${frameHeight}px` : undefined}
      fontFamily="mono"
      fontSize="sm"
      lineHeight={`${lineHeight}px`}
      css={{ '& span': { unicodeBidi: 'isolate' } }}
    >
      {virtual ? (
        <chakra.div position="relative" minWidth="full" style={{ height: rows.getTotalSize(), width: `${columns}ch` }}>
          {rows.getVirtualItems().map(({ index, start }) => draw(lines[index]!, index, start)) /* of so many lines */}
        </chakra.div>
      ) : (
        lines.map((line, index) => draw(line, index))
      )}
    </chakra.div>
  );
}
