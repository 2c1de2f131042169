import { Box, Button, chakra, Field, Flex, Input } from '@chakra-ui/react';
import { Fragment, useState } from 'react';
import { ExactNumber, stringify } from '#contract/json.ts';
import { CopyButton } from './CopyButton.tsx';

/** Nodes on this level and above are open to begin with. */
const openLevels = 2;

/** Entries of one node that are drawn at once, and more of them at each press. */
const pageSize = 100;

/** Characters up to which nobody needs to search. */
const shortText = 400;

type Branch = Readonly<Record<string, unknown>>;

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

const contains = (value: unknown, name: string, term: string): boolean =>
  name.toLowerCase().includes(term) ||
  (isBranch(value)
    ? Object.entries(value).some(([key, inner]) => contains(inner, key, term))
    : String(value).toLowerCase().includes(term));

/** Of more entries than are shown those first that contain what is searched for. */
function hitsFirst(entries: [string, unknown][], term: string): [string, unknown][] {
  if (entries.length <= pageSize) return entries;
  const hits = entries.filter(([key, inner]) => contains(inner, key, term));
  return hits.length > 0 ? hits : entries;
}

/** The text with what was searched for marked. */
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

interface NodeProps {
  name: string;
  value: unknown;
  term: string;
  level: number;
}

function Fold({ name, value, term, level }: NodeProps & { value: Branch }) {
  const entries = Object.entries(value);
  const [unfolded, setUnfolded] = useState(level < openLevels);
  const [shown, setShown] = useState(pageSize);
  const open = unfolded || (term !== '' && contains(value, '', term));
  // What is searched for may lie beyond what is shown.
  const left = open && term !== '' ? hitsFirst(entries, term) : entries;
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={open} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
      <chakra.summary minHeight="6" cursor="pointer">
        <Marked text={name} term={term} />{' '}
        <Box as="span" color="fg.muted">
          {size}
        </Box>
      </chakra.summary>
      {/* What is folded is not drawn: definitions of providers run to thousands of nodes. */}
      {open && (
        <Box as="ul" ps="4" borderInlineStartWidth="1px" listStyleType="none">
          {left.slice(0, shown).map(([key, inner]) => (
            <li key={key}>
              <Node name={key} value={inner} term={term} level={level + 1} />
            </li>
          ))}
          {left.length > shown && (
            <li>
              <Button size="sm" type="button" onClick={() => setShown(shown + pageSize)}>
                Show more ({left.length - shown} of {left.length})
              </Button>
            </li>
          )}
        </Box>
      )}
    </details>
  );
}

function Node({ value, ...rest }: NodeProps) {
  if (isBranch(value)) return <Fold {...rest} value={value} />;
  return (
    <Box overflowWrap="anywhere">
      <Marked text={rest.name} term={rest.term} />:{' '}
      <Box as="span" color={typeof value === 'string' ? 'fg' : 'accent'}>
        <Marked text={stringify(value)} term={rest.term} />
      </Box>
    </Box>
  );
}

/** JSON to fold, search and copy; texts are never read as markup. `what` names it, e.g. "providers". */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  const [search, setSearch] = useState('');
  const term = search.trim().toLowerCase();
  const text = stringify(value, 2);
  const found = term === '' || contains(value, '', term);
  return (
    <Box display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
      <Flex gap="2" align="end">
        {text.length > shortText && (
          <Field.Root maxWidth="20rem">
            <Field.Label>Search in {what}</Field.Label>
            <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
          </Field.Root>
        )}
        <CopyButton text={text} what={what} label="Copy JSON" />
      </Flex>
      <Box role="status" color="fg.muted">
        {!found && `No results for "${search}"`}
      </Box>
      <Box fontFamily="mono" fontSize="sm" role="group" aria-label={what}>
        <Node name={what} value={value} term={term} level={0} />
      </Box>
    </Box>
  );
}
