import regjsparser, { type Anchor, type AstNode, type Group, type Quantifier } from 'regjsparser';

/** Whether a regex matches somewhere in a value. */
export type Matches = (value: string) => boolean;

interface Syntax {
  lookbehind: true;
  namedGroups: true;
}
const syntax: Syntax = { lookbehind: true, namedGroups: true };
type Node = AstNode<Syntax>;

const elementsOf = (node: Node): readonly Node[] => (node.type === 'alternative' ? node.body : [node]);

/** The nodes of each alternative of a group or of a whole pattern. */
function branchesOf(body: readonly Node[]): (readonly Node[])[] {
  const [only] = body;
  return only?.type === 'disjunction' ? only.body.map(elementsOf) : [body.flatMap(elementsOf)];
}

const isLookAround = ({ behavior }: Group<Syntax>): boolean => behavior !== 'normal' && behavior !== 'ignore';

/** Condition of an edge that consumes no character: start of the value, word boundary, look-around. */
type Condition = (tables: readonly Uint8Array[], value: string, at: number) => boolean;
type Takes = (unit: number) => boolean;
interface Edge {
  from: number;
  to: number;
  takes?: Takes;
  holds?: Condition;
}

/** A look-around as its own automaton; its table is 1 where it holds. */
interface LookAround {
  automaton: Automaton;
  ahead: boolean;
  negate: boolean;
}

/** State 0 is the start and 1 the end. */
interface Automaton {
  states: number;
  edges: Edge[];
}

const lineEnds = [0x0a, 0x0d, 0x2028, 0x2029];
const isWord = (value: string, at: number): boolean => /\w/.test(value.charAt(at));
const isEdge = (value: string, at: number): boolean => isWord(value, at - 1) !== isWord(value, at);
const anchors: Record<Anchor['kind'], Condition> = {
  start: (_, __, at) => at === 0,
  end: (_, value, at) => at === value.length,
  boundary: (_, value, at) => isEdge(value, at),
  'not-boundary': (_, value, at) => !isEdge(value, at),
};

/** Character classes by their source, shared by the copies that a repetition makes. */
type Sets = Map<string, Takes>;

/** Classes are matched by the engine, one character at a time. */
function taking(node: Node, sets: Sets): Takes {
  if (node.type === 'value') return (unit) => unit === node.codePoint;
  if (node.type === 'dot') return (unit) => !lineEnds.includes(unit);
  const shared = sets.get(node.raw);
  if (shared) return shared;
  const one = new RegExp(`^${node.raw}$`);
  const known = new Map<number, boolean>();
  const takes = (unit: number) => {
    const is = known.get(unit) ?? one.test(String.fromCharCode(unit));
    known.set(unit, is);
    return is;
  };
  sets.set(node.raw, takes);
  return takes;
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
    const index = around.push({ automaton, ahead, negate }) - 1;
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
 * Returns a table of the positions from 0 to the value's length: 1 where a match that may begin anywhere ends, or,
 * backwards, where a match that may end anywhere begins. Time is proportional to edges times positions.
 */
function reach({ states, edges }: Automaton, value: string, forwards: boolean, tables: readonly Uint8Array[]) {
  const out: Edge[][] = Array.from({ length: states }, () => []);
  for (const edge of edges) out[forwards ? edge.from : edge.to]?.push(edge);
  const [first, last] = forwards ? [0, 1] : [1, 0];
  const found = new Uint8Array(value.length + 1);
  const seen = new Int32Array(states).fill(-1);
  let present: number[] = [];
  for (let step = 0; step <= value.length; step += 1) {
    const at = forwards ? step : value.length - step;
    const unit = forwards ? value.charCodeAt(at) : value.charCodeAt(at - 1);
    const here: number[] = [];
    const next: number[] = [];
    const enter = (state: number) => {
      if (seen[state] === step) return;
      seen[state] = step;
      here.push(state);
    };
    present.forEach(enter);
    enter(first);
    // `here` grows during the loop.
    for (let index = 0; index < here.length; index += 1)
      for (const { from, to, takes, holds } of out[here[index]!] ?? []) {
        const target = forwards ? to : from;
        if (takes) {
          if (step < value.length && takes(unit)) next.push(target);
        } else if (!holds || holds(tables, value, at)) enter(target);
      }
    if (seen[last] === step) found[at] = 1;
    present = next;
  }
  return found;
}

/** Compiles a regex to a test in linear time: `size` times the value's length is the approximate number of steps. */
export function linear(regex: string): { size: number; matches: () => Matches } {
  const pattern = regjsparser.parse(regex, '', syntax);
  const matches = (): Matches => {
    const around: LookAround[] = [];
    const automaton = automatonOf(branchesOf([pattern]), around, new Map());
    return (value) => {
      const tables: Uint8Array[] = [];
      for (const { automaton: inner, ahead, negate } of around) {
        const table = reach(inner, value, !ahead, tables);
        tables.push(negate ? table.map((holds) => 1 - holds) : table);
      }
      return reach(automaton, value, true, tables).includes(1);
    };
  };
  return { size: sizeOf(pattern), matches };
}
