import { Box, chakra } from '@chakra-ui/react';
import { Fragment, memo, type CSSProperties } from 'react';
import { Masked } from '../Masked.tsx';
import type { Line } from './lines.ts';

/** Height of every line, in rem. */
export const lineHeight = 1.375;

/** Maximum number of characters rendered of a value; copying copies the full value. */
const longest = 2000;

/** The text with every occurrence of `term` (in lower case) marked. */
function Marked({ text, term }: { text: string; term: string }) {
  if (!term) return text;
  const parts: { text: string; hit: boolean }[] = [];
  let from = 0;
  for (let at = text.toLowerCase().indexOf(term); at >= 0; at = text.toLowerCase().indexOf(term, from)) {
    parts.push({ text: text.slice(from, at), hit: false }, { text: text.slice(at, at + term.length), hit: true });
    from = at + term.length;
  }
  parts.push({ text: text.slice(from), hit: false });
  return parts.map(({ text: part, hit }, index) =>
    hit ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  );
}

/** A whole value that stands for a secret: part of a text may be what a user has typed. */
const isSecret = /^"\$(?:TOKEN|SIGNING_KEY|API_KEY)\d*"$/;

const colours = { text: 'json.string', number: 'json.number', word: 'json.number', branch: 'fg', end: 'fg' } as const;

/** The mark of a branch that is sent as a string. */
const OnWire = () => (
  <Box as="span" color="fg.muted" fontFamily="body" fontSize="xs" userSelect="none">
    {'  string on the wire'}
  </Box>
);

/** Longest name of a folded object, in characters. */
const longestTitle = 60;

function Value({ line: { text, kind, open, entries, title, onWire }, term }: { line: Line; term: string }) {
  const colour = colours[kind];
  if (open === false)
    return (
      <>
        {text.slice(0, 1)}
        <Box as="span" color="fg.muted">
          {` ${title?.slice(0, longestTitle) ?? entries} `}
        </Box>
        {text.slice(1)}
        {onWire && <OnWire />}
      </>
    );
  const cut = text.length > longest;
  return (
    <>
      <Box as="span" color={colour}>
        {isSecret.test(text) ? (
          <Masked text={text} />
        ) : (
          <Marked text={cut ? text.slice(0, longest) : text} term={kind === 'branch' ? '' : term} />
        )}
      </Box>
      {cut && (
        <Box as="span" color="fg.muted">
          {' '}
          … {text.length - longest} more characters
        </Box>
      )}
      {onWire && <OnWire />}
    </>
  );
}

interface JsonLineProps {
  line: Line;
  id: string;
  term: string;
  lit: boolean;
  active: boolean;
  /** Distance from the top in px, for lines that are positioned absolutely. */
  top?: number;
  onChoose: (pointer: string) => void;
  onToggle: (pointer: string, open: boolean) => void;
}

/** Compares the contents of lines: each change of the value creates new line objects, most of them equal. */
const isSame = ({ line: old, ...before }: JsonLineProps, { line, ...now }: JsonLineProps): boolean =>
  (Object.keys(now) as (keyof typeof now)[]).every((name) => before[name] === now[name]) &&
  (Object.keys(line) as (keyof Line)[]).every((name) => old[name] === line[name]) &&
  old.name === line.name &&
  old.open === line.open;

/** One line; a click chooses it, a click on the mark of a branch opens or folds that branch. */
export const JsonLine = memo(function JsonLine({
  line,
  id,
  term,
  lit,
  active,
  top,
  onChoose,
  onToggle,
}: JsonLineProps) {
  const { pointer, depth, name, open, comma, at, of, kind } = line;
  const tree =
    kind === 'end'
      ? ({ 'aria-hidden': true } as const)
      : {
          id,
          role: 'treeitem',
          'aria-level': depth + 1,
          'aria-posinset': at,
          'aria-setsize': of,
          'aria-expanded': open,
          'aria-selected': active,
        };
  return (
    <chakra.div
      {...tree}
      data-lit={lit || undefined}
      data-active={active || undefined}
      position={top === undefined ? 'relative' : 'absolute'}
      top={top === undefined ? undefined : '0'}
      style={{ '--depth': depth, ...(top !== undefined && { transform: `translateY(${top}px)` }) } as CSSProperties}
      {...(top === undefined
        ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }
        : { whiteSpace: 'pre', minWidth: 'full', width: 'max-content', height: `${lineHeight}rem` })}
      paddingInlineStart="calc({spacing.5} + 2ch * var(--depth))"
      paddingInlineEnd="5"
      // One rule for all lines: one that is inserted later makes the browser lay out the whole page anew.
      css={{
        '&[data-active]': { bg: 'bg.muted' },
        '&[data-lit]': { bg: 'accent.subtle', boxShadow: 'inset 2px 0 {colors.accent}' },
      }}
      onClick={() => onChoose(pointer)}
    >
      {open !== undefined && (
        <chakra.span
          aria-hidden="true"
          position="absolute"
          width="4"
          ms="-4"
          textAlign="center"
          color="fg.muted"
          cursor="pointer"
          userSelect="none"
          onClick={(event) => {
            event.stopPropagation();
            onToggle(pointer, !open);
          }}
        >
          {open ? '▾' : '▸'}
        </chakra.span>
      )}
      {name !== undefined && (
        <>
          <Box as="span" color="json.key">
            &quot;
            <Marked text={name} term={term} />
            &quot;
          </Box>
          {': '}
        </>
      )}
      <Value line={line} term={term} />
      {comma && ','}
    </chakra.div>
  );
}, isSame);
