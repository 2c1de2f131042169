import regjsparser, { type Anchor, type AstNode, type Group, type Quantifier } from 'regjsparser';
import {
  atEnd,
  atStart,
  walkOf,
  type Automaton,
  type Budget,
  type Condition,
  type Edge,
  type Takes,
  type Text,
  type Walk,
} from './walk.ts';

/** Whether a regex matches somewhere in a value; undefined if the budget does not suffice to tell. */
export type Matches = (value: Text, budget: Budget) => boolean | undefined;

interface Syntax {
  lookbehind: true;
  namedGroups: true;
  unicodePropertyEscape: true;
}
const syntax: Syntax = {
  lookbehind: true,
  namedGroups: true,
  unicodePropertyEscape: true,
};
/** The flags of a pattern: with u it reads a value by code points, otherwise by UTF-16 code units; i ignores case. */
export type Reading = 'u' | 'iu' | 'i' | '';
type Node = AstNode<Syntax>;

const elementsOf = (node: Node): readonly Node[] => (node.type === 'alternative' ? node.body : [node]);

/** The nodes of each alternative of a group or of a whole pattern. */
function branchesOf(body: readonly Node[]): (readonly Node[])[] {
  const [only] = body;
  return only?.type === 'disjunction' ? only.body.map(elementsOf) : [body.flatMap(elementsOf)];
}

const isLookAround = ({ behavior }: Group<Syntax>): boolean => behavior !== 'normal' && behavior !== 'ignore';

/** A look-around as its own automaton; its table has 1 at each position where it holds. */
interface LookAround {
  walk: Walk;
  negate: boolean;
}

const lineEnds = [0x0a, 0x0d, 0x2028, 0x2029];
const isWord = (value: Text, at: number): boolean => /\w/.test(value.charAt(at));
const isEdge = (value: Text, at: number): boolean => isWord(value, at - 1) !== isWord(value, at);
const anchors: Record<Anchor['kind'], Condition> = {
  start: atStart,
  end: atEnd,
  boundary: (_, value, at) => isEdge(value, at),
  'not-boundary': (_, value, at) => !isEdge(value, at),
};

/** Character tests by source, shared by the copies that a repetition makes. */
interface Sets {
  reading: Reading;
  made: Map<string, Takes>;
}

/** The engine matches classes, one character at a time. */
function taking(node: Node, { reading, made }: Sets): Takes {
  const takes = made.get(node.raw) ?? takesOf(node, reading);
  made.set(node.raw, takes);
  return takes;
}

/** Limit of the cached characters of one class. */
const mostKnown = 10_000;

function takesOf(node: Node, flags: Reading): Takes {
  if (node.type === 'value' && !flags.includes('i')) return (unit) => unit === node.codePoint;
  if (node.type === 'dot') return (unit) => !lineEnds.includes(unit);
  const one = new RegExp(`^${node.raw}$`, flags);
  const known = new Map<number, boolean>();
  return (unit) => {
    const is = known.get(unit) ?? one.test(String.fromCodePoint(unit));
    if (known.size < mostKnown) known.set(unit, is);
    return is;
  };
}

/** Returns the maximum number of states for a node, Infinity for a back reference, which no automaton can match. */
function sizeOf(node: Node): number {
  switch (node.type) {
    case 'disjunction':
    case 'alternative':
    case 'group':
      return node.body.reduce((size, each) => size + sizeOf(each), 1);
    case 'quantifier':
      return (sizeOf(node.body[0]) + 1) * Math.max(node.min, node.max ?? node.min + 1, 1);
    case 'reference':
      return Infinity;
    default:
      return 1;
  }
}

/** Builds the automaton of alternatives and adds their look-arounds to `around`, inner ones first. */
function automatonOf(alternatives: readonly (readonly Node[])[], around: LookAround[], sets: Sets): Automaton {
  const edges: Edge[] = [];
  let states = 2;
  const fresh = () => (states += 1) - 1;
  const link = (from: number, to: number, more: Pick<Edge, 'takes' | 'holds'> = {}) =>
    edges.push({ from, to, ...more });

  const either = (branches: readonly (readonly Node[])[], from: number, to: number): void => {
    for (const elements of branches) {
      const last = elements.reduce((at, element) => {
        const next = fresh();
        build(element, at, next);
        return next;
      }, from);
      link(last, to);
    }
  };

  function repeat({ body: [element], min, max = Infinity }: Quantifier<Syntax>, from: number, to: number): void {
    let at = from;
    const copy = () => {
      const next = fresh();
      build(element, at, next);
      return next;
    };
    for (let made = 0; made < min; made += 1) at = copy();
    if (max === Infinity) {
      const loop = fresh();
      link(at, loop);
      build(element, loop, loop);
      at = loop;
    } else
      for (let made = min; made < max; made += 1) {
        link(at, to);
        at = copy();
      }
    link(at, to);
  }

  function lookAround({ behavior, body }: Group<Syntax>): Condition {
    const automaton = automatonOf(branchesOf(body), around, sets);
    const [ahead, negate] = [/ahead$/i.test(behavior), behavior.startsWith('negative')];
    const index = around.push({ walk: walkOf(automaton, !ahead), negate }) - 1;
    return (tables, _, at) => tables[index]?.[at] === 1;
  }

  function build(node: Node, from: number, to: number): void {
    switch (node.type) {
      case 'alternative':
      case 'disjunction':
        return either(branchesOf([node]), from, to);
      case 'group':
        if (!isLookAround(node)) return either(branchesOf(node.body), from, to);
        link(from, to, { holds: lookAround(node) });
        return;
      case 'quantifier':
        return repeat(node, from, to);
      case 'anchor':
        link(from, to, { holds: anchors[node.kind] });
        return;
      case 'reference':
        throw new Error('A reference needs a backtracking engine');
      default:
        link(from, to, { takes: taking(node, sets) });
    }
  }

  either(alternatives, 0, 1);
  return { states, edges };
}

/**
 * Compiles a regex to a test in linear time: `size` times the value's length is the maximum number of steps. Throws a
 * SyntaxError if it cannot be read.
 */
export function linear(regex: string, reading: Reading): { size: number; matches: () => Matches } {
  const pattern = regjsparser.parse(regex, reading, syntax);
  const matches = (): Matches => {
    const around: LookAround[] = [];
    const whole = walkOf(automatonOf(branchesOf([pattern]), around, { reading, made: new Map() }), true);
    if (around.length === 0) return whole;
    return (value, budget) => {
      const tables: Uint8Array[] = [];
      for (const { walk, negate } of around) {
        const table = new Uint8Array(value.length + 1);
        if (walk(value, budget, tables, table) === undefined) return undefined;
        tables.push(negate ? table.map((holds) => 1 - holds) : table);
      }
      return whole(value, budget, tables);
    };
  };
  return { size: sizeOf(pattern), matches };
}
