import { ExactNumber, parseAsWritten, stringify, WrittenObject } from '#contract/json.ts';
import { visibleText } from '#contract/text.ts';

type Branch = Readonly<Record<string, unknown>> | WrittenObject;

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** The object or array that a string holds as JSON, such as a subscription's additionalData; undefined if it holds none. */
function branchOnWire(value: unknown): Branch | undefined {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return undefined;
  try {
    const inner = parseAsWritten(value);
    return isBranch(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}

const branchIn = (value: unknown): Branch | undefined => (isBranch(value) ? value : branchOnWire(value));

type Entry = readonly [name: string, value: unknown];

/** The members of an object, or the elements of an array by index. */
const entriesOf = (branch: Branch): readonly Entry[] =>
  branch instanceof WrittenObject ? branch.members : Object.entries(branch);

/** What an object is called where it is folded: its name, else its first id; undefined if it has neither. */
function titleOf(branch: Branch): string | undefined {
  if (Array.isArray(branch)) return undefined;
  const texts = entriesOf(branch).filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  const [, title] = texts.find(([name]) => name === 'name') ?? texts.find(([name]) => /^id$|Id$/.test(name)) ?? [];
  return title as string | undefined; // only texts are left
}

/** The pointers of a branch's entries. RFC 6901 names only one of several members of the same name; the others are numbered. */
function pointersIn(branch: Branch, pointer: string): string[] {
  const known = new Set<string>();
  return entriesOf(branch).map(([name]) => {
    let step = pointerStep(name);
    for (let occurrence = 2; known.has(step); occurrence += 1) step = `${pointerStep(name)} #${occurrence}`;
    known.add(step);
    return pointer + step;
  });
}

/** One rendered line of JSON. */
export interface Line {
  /** JSON Pointer (RFC 6901) of the value; on a closing line, of its branch. */
  pointer: string;
  depth: number;
  /** As in JSON, without quotes; absent for array elements, the root and closing lines. */
  name?: string;
  /** The value as JSON; for a branch its brackets, on a closing line the closing bracket. */
  text: string;
  /** 'word' is true, false or null; 'branch' an object or array; 'end' the closing line of a branch. */
  kind: 'text' | 'number' | 'word' | 'branch' | 'end';
  /** For a non-empty branch: whether its entries are rendered. */
  open?: boolean;
  /** For a non-empty branch: the number of its entries. */
  entries?: number;
  /** For a folded object: its name or id, if it has one. */
  title?: string;
  /** Whether the branch is sent as a string that holds JSON. */
  onWire?: boolean;
  comma: boolean;
  /** Position among its siblings, from 1. */
  at: number;
  /** Number of siblings, including this one. */
  of: number;
}

/** The JSON Pointer for a dotted path, the notation used by rules. */
export const pointerOf = (path: string): string => path.split('.').map(pointerStep).join('');

const pointerStep = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The dotted path for a JSON Pointer, for display. */
export const pathOf = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Yields all parts of a value with their pointers, and the names of members, parents first; does not descend where
 * `into` returns false.
 */
function* partsOf(
  value: unknown,
  into: (pointer: string) => boolean = () => true,
  pointer = '',
  member?: string,
): Generator<[pointer: string, value: unknown, member: string | undefined]> {
  yield [pointer, value, member];
  const branch = branchIn(value);
  if (!branch || !into(pointer)) return;
  const pointers = pointersIn(branch, pointer);
  for (const [index, [name, inner]] of entriesOf(branch).entries())
    yield* partsOf(inner, into, pointers[index], Array.isArray(branch) ? undefined : name);
}

/** The number of lines of a value with all branches open, at most `most`. */
function sizeOf(value: unknown, most: number): number {
  let lines = 0;
  for (const [, part] of partsOf(value)) {
    lines += entriesOf(branchIn(part) ?? {}).length > 0 ? 2 : 1;
    if (lines >= most) return most;
  }
  return lines;
}

/** Up to this number of lines, all branches are initially open. */
const short = 60;
/** Beyond it, deeper branches, and array elements with more lines than this, are initially folded. */
const longBranch = 12;

const kindOf = (value: unknown): Line['kind'] =>
  typeof value === 'string' ? 'text' : typeof value === 'number' || value instanceof ExactNumber ? 'number' : 'word';

/** Branches, by pointer, that the user has opened (true) or folded (false); the others are in their initial state. */
export type Opened = ReadonlyMap<string, boolean>;

/** The lines of a value, without those in folded branches; with `whole`, all branches are initially open. */
export function linesOf(value: unknown, opened: Opened, whole = false): Line[] {
  const lines: Line[] = [];
  const isShort = whole || sizeOf(value, short + 1) <= short;
  const isOpen = (part: Branch, { pointer, depth, name, of }: Omit<Line, 'text' | 'kind'>): boolean =>
    opened.get(pointer) ??
    (isShort ||
      depth === 0 ||
      (depth === 1 && (name !== undefined || of === 1)) ||
      sizeOf(part, longBranch + 1) <= longBranch);
  const draw = (value: unknown, line: Omit<Line, 'text' | 'kind'>) => {
    const part = branchIn(value);
    if (!part) {
      lines.push({ ...line, text: visibleText(stringify(value)), kind: kindOf(value) });
      return;
    }
    const inner = entriesOf(part);
    const [begin, end] = Array.isArray(part) ? ['[', ']'] : ['{', '}'];
    if (inner.length === 0) {
      lines.push({ ...line, text: `${begin}${end}`, kind: 'branch' });
      return;
    }
    const open = isOpen(part, line);
    const onWire = part !== value;
    const branch = { ...line, kind: 'branch', open, entries: inner.length, ...(onWire && { onWire }) } as const;
    const title = titleOf(part);
    lines.push(
      open
        ? { ...branch, text: `${begin}`, comma: false }
        : { ...branch, text: `${begin}${end}`, ...(title !== undefined && { title: visibleText(title) }) },
    );
    if (!open) return;
    const pointers = pointersIn(part, line.pointer);
    inner.forEach(([name, each], index) =>
      draw(each, {
        pointer: pointers[index] ?? '',
        depth: line.depth + 1,
        ...(!Array.isArray(part) && { name: visibleText(JSON.stringify(name).slice(1, -1)) }),
        comma: index < inner.length - 1,
        at: index + 1,
        of: inner.length,
      }),
    );
    const { name: _name, ...closing } = line;
    lines.push({ ...closing, text: `${end}`, kind: 'end' });
  };
  draw(value, { pointer: '', depth: 0, comma: false, at: 1, of: 1 });
  return lines;
}

/** Whether `pointer` is `branch` itself or lies inside it. */
export const surrounds = (branch: string, pointer: string): boolean =>
  branch === pointer || pointer.startsWith(`${branch}/`);

/** The value at a pointer; undefined if there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  for (const [at, part] of partsOf(value, (branch) => surrounds(branch, pointer))) if (at === pointer) return part;
  return undefined;
}

/** Pointers of the first `most` parts whose name or value contains `term`, which must be in lower case. */
export function hitsIn(value: unknown, term: string, most: number): string[] {
  const hits: string[] = [];
  for (const [pointer, part, name = ''] of partsOf(value)) {
    const said = branchIn(part) ? '' : String(part).toLowerCase();
    if (name.toLowerCase().includes(term) || said.includes(term)) hits.push(pointer);
    if (hits.length === most) break;
  }
  return hits;
}
