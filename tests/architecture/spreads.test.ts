import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The calls whose arguments are a chart, or declare what it names. */
const chartCalls = ['createMachine', 'createStateConfig', 'setup', 'extend'];

/** The functions of a form, whose result is assigned whole, by an action of its own. */
const formCalls = /^(open|change|fill|update)(Form|Field)$/;

const calledIn = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

const partOf = (node: ts.Node): ts.Node[] =>
  ts.isSourceFile(node.parent) ? [] : [node.parent, ...partOf(node.parent)];

const memberOf = (node: ts.Node): string => (ts.isPropertyAssignment(node) ? node.name.getText() : '');

/**
 * Whether an object is the value of one member, such as a row that is written back with a change: its members are not
 * those of a chart or of a context.
 */
function isOwnValue(spread: ts.SpreadAssignment): boolean {
  const around = partOf(spread.parent);
  const assigned = around.findIndex((node) => ts.isCallExpression(node) && calledIn(node) === 'assign');
  return assigned > 0 && around.slice(0, assigned).some((node) => ts.isPropertyAssignment(node));
}

/** Where a chart takes states, transitions, actions or members of its context from an object that it does not show. */
function hiddenIn(text: string): string[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadAssignment(node)) {
      const around = partOf(node);
      const chart = around.find((each) => ts.isCallExpression(each) && chartCalls.includes(calledIn(each)));
      // A chart's first context may begin with that of a form.
      const isContext = around.some((each) => memberOf(each) === 'context');
      const isForm = ts.isCallExpression(node.expression) && formCalls.test(calledIn(node.expression));
      if ((chart && !isContext && !isOwnValue(node)) || isForm) found.push(node.getText());
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** The spreads whose value is a literal: what is in it could stand where it is spread. A condition makes another value. */
function literalsSpreadIn(text: string): string[] {
  const file = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isWithin =
      ts.isSpreadAssignment(node) || (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent));
    if (isWithin) {
      let { expression } = node;
      while (
        ts.isParenthesizedExpression(expression) ||
        ts.isAsExpression(expression) ||
        ts.isSatisfiesExpression(expression)
      )
        ({ expression } = expression);
      if (ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression))
        found.push(node.getText());
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

const machines = readdirSync('src/machines', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

describe('a chart', () => {
  it('names each of its states, transitions and actions where it has them', () => {
    expect(
      machines.flatMap((name) =>
        hiddenIn(readFileSync(`src/machines/${name}`, 'utf8')).map((spread) => `${name}: ${spread}`),
      ),
    ).toEqual([]);
  });

  it.each([
    ['states', 'setup({}).createMachine({ states: { ...gates } })'],
    ['transitions', 'setup({}).createStateConfig({ on: { ...close, retry: {} } })'],
    ['an invocation', "setup({}).createMachine({ invoke: { ...reads, onDone: 'read' } })"],
    ['a description', "setup({}).createMachine({ on: { retry: { target: 'a', ...told } } })"],
    ['actions of the setup', 'setup({ actions: { ...formActions } })'],
    ['actions of an extension', 'setup({}).extend({ actions: { ...formActions, ...journeyActions } })'],
    [
      'members that an action assigns',
      'setup({ actions: { open: assign(({ context }) => ({ ...form, again: false })) } })',
    ],
    ['members that a function computes', 'const opened = (context) => ({ ...openForm(context), messageId: "" });'],
  ])('is found when it spreads %s', (_, text) => {
    expect(hiddenIn(text)).toHaveLength(text.split('...').length - 1);
  });

  it.each([
    ['the first context of a form', 'setup({}).createMachine({ context: ({ input }) => ({ ...emptyForm, input }) })'],
    [
      'one value that is written back',
      'setup({ actions: { save: assign(({ context }) => ({ facts: { ...context.facts, a } })) } })',
    ],
    ['an object outside a chart', 'const row = { ...old, current: true };'],
  ])('may spread %s', (_, text) => {
    expect(hiddenIn(text)).toEqual([]);
  });
});

describe('A literal', () => {
  it('has its members itself: nothing spreads a literal without a condition into it', () => {
    const files = ['server', 'src', 'tests'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    expect(
      files.flatMap((file) => literalsSpreadIn(readFileSync(file, 'utf8')).map((spread) => `${file}: ${spread}`)),
    ).toEqual([]);
  });

  it.each([
    '({ ...{ a, b }, c })',
    "[...['a'], 'b']",
    "({ ...({ a: 'b' } as const) })",
    '[...([1] satisfies number[])]',
  ])('is found when it is spread: %s', (text) => {
    expect(literalsSpreadIn(text)).toHaveLength(1);
  });

  it.each(['({ ...(a && { b }) })', '[...(a ? [b] : []), c]', 'f(...[a, b])', '({ ...rest, a: { ...b } })'])(
    'may be spread with a condition, or as arguments: %s',
    (text) => {
      expect(literalsSpreadIn(text)).toEqual([]);
    },
  );
});
