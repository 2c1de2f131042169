import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { useCallback, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { stringify } from '#contract/json.ts';
import { visibleText } from '#contract/text.ts';
import { CopyButton } from './CopyButton.tsx';
import { Input } from './Field.tsx';
import { JsonTree } from './json/JsonTree.tsx';
import { hitsIn, linesOf, pathOf, pointerOf, surrounds, valueAt, type Opened } from './json/lines.ts';
import { Stack } from './surfaces.tsx';

/** Maximum length, in characters, of a text without a search box: beside other content about what a window shows of it. */
const shortText = { beside: 1200, whole: 400 };

/** Maximum number of search results. */
const mostHits = 1000;

const parentOf = (pointer: string): string | undefined =>
  pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));

/** Returns `opened` with all branches open that contain one of the pointers. */
const openTo = (pointers: readonly string[], opened: Opened): Opened => {
  const all = new Map(opened);
  for (const pointer of pointers)
    for (let around = parentOf(pointer); around !== undefined; around = parentOf(around)) all.set(around, true);
  return all;
};

interface SearchProps {
  what: string;
  search: string;
  hits: number;
  /** Index of the current result, from 0. */
  hit: number;
  onSearch: (text: string) => void;
  onHit: (hit: number) => void;
}

function Search({ what, search, hits, hit, onSearch, onHit }: SearchProps) {
  const said =
    hits === 0 ? `No results for "${search.trim()}"` : `${hit + 1} of ${hits}${hits === mostHits ? '+' : ''}`;
  const turn = (by: number) => onHit((hit + by + hits) % Math.max(hits, 1));
  return (
    <Flex gap="1" align="center" wrap="wrap">
      <Input
        type="search"
        aria-label={`Search in ${what}`}
        placeholder="Search"
        size="sm"
        width="36"
        autoComplete="off"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          turn(event.shiftKey ? -1 : 1);
        }}
      />
      {hits > 1 && (
        <>
          <Button size="sm" variant="ghost" type="button" aria-label="Previous result" onClick={() => turn(-1)}>
            ↑
          </Button>
          <Button size="sm" variant="ghost" type="button" aria-label="Next result" onClick={() => turn(1)}>
            ↓
          </Button>
        </>
      )}
      <Box role="status" fontSize="xs" color="fg.muted">
        {search.trim() !== '' && said}
      </Box>
    </Flex>
  );
}

interface JsonViewProps {
  value: unknown;
  /** Accessible name of the view, e.g. "providers". */
  what: string;
  /** Rendered above the lines, on the left. */
  title?: ReactNode;
  /** Dotted path of the highlighted value, such as `data.name`. */
  lit?: string | undefined;
  /** For a page whose object the JSON is: whether all branches are open at first; a button folds or unfolds them. */
  whole?: 'unfolded' | 'folded';
}

/**
 * JSON that can be folded, searched, and copied in whole or in part. Strings are never parsed as markup. Of many lines,
 * only the visible ones are rendered.
 */
export function JsonView({ value, what, title, lit, whole }: JsonViewProps) {
  const [search, setSearch] = useState('');
  const [hit, setHit] = useState(0);
  const [opened, setOpened] = useState<Opened>(new Map());
  const [active, setActive] = useState('');
  const [unfolded, setUnfolded] = useState(whole === 'unfolded');
  const text = useMemo(() => visibleText(stringify(value, 2)), [value]);
  const term = useDeferredValue(search.trim().toLowerCase());
  const hits = useMemo(() => (term === '' ? [] : hitsIn(value, term, mostHits)), [value, term]);
  const sought = hits[Math.min(hit, hits.length - 1)];
  const lines = useMemo(
    () => linesOf(value, sought === undefined ? opened : openTo([sought], opened), unfolded),
    [value, opened, sought, unfolded],
  );
  const toggle = useCallback(
    (pointer: string, open: boolean) => setOpened((before) => new Map(before).set(pointer, open)),
    [],
  );
  const isLong = text.length > shortText[whole ? 'whole' : 'beside'];
  const part = active === '' ? undefined : valueAt(value, active);
  return (
    <Stack role="group" aria-label={what} gap="2">
      <Flex gap="2" align="center" justify="space-between" wrap="wrap" px="5" minHeight="7">
        <chakra.span fontSize="xs" fontWeight="medium" color="fg.muted">
          {title}
        </chakra.span>
        <Flex gap="1" align="center" wrap="wrap">
          {isLong && (
            <Search
              what={what}
              search={search}
              hits={hits.length}
              hit={hit}
              onHit={setHit}
              onSearch={(next) => {
                setSearch(next);
                setHit(0);
              }}
            />
          )}
          {whole && isLong && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`${unfolded ? 'Fold' : 'Unfold'} ${what}`}
              onClick={() => {
                setUnfolded(!unfolded);
                setOpened(new Map());
              }}
            >
              {unfolded ? 'Fold' : 'Unfold'}
            </Button>
          )}
          {part !== undefined && (
            <CopyButton
              key={active}
              text={typeof part === 'string' ? part : visibleText(stringify(part, 2))}
              what={pathOf(active)}
              label="Copy part"
            />
          )}
          <CopyButton text={text} what={what} label="Copy JSON" />
        </Flex>
      </Flex>
      <JsonTree
        what={what}
        lines={lines}
        term={term}
        lit={sought ?? (lit === undefined ? undefined : pointerOf(lit))}
        active={lines.some(({ pointer }) => surrounds(pointer, active)) ? active : ''}
        onActive={setActive}
        onToggle={toggle}
      />
    </Stack>
  );
}
