import { ExactNumber, stringify } from '#contract/json.ts';

type Branch = Readonly<Record<string, unknown>>;

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** One line of JSON as it is drawn. */
export interface Line {
  /** Of the value, as a JSON Pointer (RFC 6901); the closing line of a branch has its branch's. */
  pointer: string;
  depth: number;
  /** Absent for elements of a list and for the whole. */
  name?: string;
  /** What stands behind the name; '' for a closing line. */
  text: string;
  kind: 'text' | 'number' | 'word' | 'branch' | 'end';
  /** Of a branch with entries: whether they are drawn, and how many there are. */
  open?: boolean;
  entries?: number;
  comma: boolean;
  /** Its place among its siblings, from 1, and how many they are. */
  at: number;
  of: number;
}

/** A JSON Pointer of the dotted path, as rules write paths. */
export const pointerOf = (path: string): string => path.split('.').map(pointerStep).join('');

const pointerStep = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The dotted path of a pointer, for words and names. */
export const pathOf = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

/** The parts of a value with their pointers, the branches before what is in them; stops below where `into` says no. */
function* partsOf(
  value: unknown,
  into: (pointer: string) => boolean = () => true,
  pointer = '',
): Generator<[pointer: string, value: unknown]> {
  yield [pointer, value];
  if (isBranch(value) && into(pointer))
    for (const [name, inner] of Object.entries(value)) yield* partsOf(inner, into, pointer + pointerStep(name));
}

/** Lines that a value takes with all of its branches open, at most `most`. */
function sizeOf(value: unknown, most: number): number {
  let lines = 0;
  for (const [, part] of partsOf(value)) {
    lines += isBranch(part) && Object.keys(part).length > 0 ? 2 : 1;
    if (lines >= most) return most;
  }
  return lines;
}

/** Up to so many lines all branches are open to begin with. */
const short = 60;
/** Further inside, and in lists, branches with more lines than this are folded to begin with. */
const longBranch = 12;

const kindOf = (value: unknown): Line['kind'] =>
  typeof value === 'string' ? 'text' : typeof value === 'number' || value instanceof ExactNumber ? 'number' : 'word';

/** Branches that were folded (false) or opened (true); the others are as they are to begin with. */
export type Opened = ReadonlyMap<string, boolean>;

/** The lines of a value, those in folded branches left out. */
export function linesOf(value: unknown, opened: Opened): Line[] {
  const lines: Line[] = [];
  const isShort = sizeOf(value, short + 1) <= short;
  const isOpen = (part: Branch, { pointer, depth, name, of }: Omit<Line, 'text' | 'kind'>): boolean =>
    opened.get(pointer) ??
    (isShort ||
      depth === 0 ||
      (depth === 1 && (name !== undefined || of === 1)) ||
      sizeOf(part, longBranch + 1) <= longBranch);
  const draw = (part: unknown, line: Omit<Line, 'text' | 'kind'>) => {
    if (!isBranch(part)) {
      lines.push({ ...line, text: stringify(part), kind: kindOf(part) });
      return;
    }
    const inner = Object.entries(part);
    const [begin, end] = Array.isArray(part) ? ['[', ']'] : ['{', '}'];
    if (inner.length === 0) {
      lines.push({ ...line, text: `${begin}${end}`, kind: 'branch' });
      return;
    }
    const open = isOpen(part, line);
    const branch = { ...line, kind: 'branch', open, entries: inner.length } as const;
    lines.push(open ? { ...branch, text: `${begin}`, comma: false } : { ...branch, text: `${begin}${end}` });
    if (!open) return;
    inner.forEach(([name, each], index) =>
      draw(each, {
        pointer: line.pointer + pointerStep(name),
        depth: line.depth + 1,
        ...(!Array.isArray(part) && { name }),
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

/** Whether a branch is the whole or one of what stands around a place. */
export const surrounds = (branch: string, pointer: string): boolean =>
  branch === pointer || pointer.startsWith(`${branch}/`);

/** The value at a pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  for (const [at, part] of partsOf(value, (branch) => surrounds(branch, pointer))) if (at === pointer) return part;
  return undefined;
}

/** The last name of a pointer; list elements have none to be searched for. */
const nameIn = (pointer: string): string => pathOf(`/${pointer.split('/').at(-1) ?? ''}`);

/** Pointers of the parts whose name or value contains a term in small letters, at most `most` of them. */
export function hitsIn(value: unknown, term: string, most: number): string[] {
  const hits: string[] = [];
  const lists = new Set<string>();
  for (const [pointer, part] of partsOf(value)) {
    if (Array.isArray(part)) lists.add(pointer);
    const named = pointer !== '' && !lists.has(pointer.slice(0, pointer.lastIndexOf('/')));
    const said = isBranch(part) ? '' : String(part).toLowerCase();
    if ((named && nameIn(pointer).toLowerCase().includes(term)) || said.includes(term)) hits.push(pointer);
    if (hits.length === most) break;
  }
  return hits;
}
