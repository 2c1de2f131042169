import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { describe, expect, it } from 'vitest';
import { effectsOf } from '#machines/lib/effect.ts';
import { allMachines } from '#tests/support/machines.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';

/** What runs a function without an event of the user: React's effects, timers, subscriptions, and the server's return. */
const unasked =
  /^(use(Layout|Insertion)?Effect|set(Timeout|Interval)|(use)?[oO]nServerBack|subscribe\w*|requestIdleCallback)$/;

/** The types of events that lead to an effect that writes, over states that are left immediately. */
function writeEvents(machine: AnyStateMachine): Set<string> {
  const ports = effectsOf(machine);
  const leadsToWrite = (node: AnyStateNode, seen: ReadonlySet<AnyStateNode> = new Set()): boolean => {
    if (seen.has(node)) return false;
    const further = new Set([...seen, node]);
    const next = [...(node.initial?.target ?? []), ...(node.always ?? []).flatMap(({ target = [] }) => target)];
    return (
      node.invoke.some(({ id }) => ports[id]?.declared.kind === 'writes' || id === 'message') ||
      next.some((each) => leadsToWrite(each, further))
    );
  };
  const nodes = [machine.root as AnyStateNode, ...statesOf(machine)];
  return new Set(
    nodes.flatMap(({ transitions }) =>
      [...transitions].flatMap(([type, branches]) =>
        branches.some(({ target = [] }) => target.some((each) => leadsToWrite(each))) ? [type] : [],
      ),
    ),
  );
}

const nameOf = (called: ts.Expression): string =>
  ts.isIdentifier(called) ? called.text : ts.isPropertyAccessExpression(called) ? called.name.text : '';

/** The functions of a file by name, wherever they are declared. */
function functionsIn(file: ts.SourceFile): Map<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name) found.set(node.name.text, node);
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      ts.isArrowFunction(node.initializer)
    )
      found.set(node.name.text, node.initializer);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** The types of the events that a file sends without an event of the user; '?' for one that is not written there. */
function sentUnasked(text: string): string[] {
  const file = ts.createSourceFile('file.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const functions = functionsIn(file);
  const sent: string[] = [];
  const seen = new Set<ts.Node>();
  const typeOf = (event: ts.Expression | undefined): string => {
    const type =
      event && ts.isObjectLiteralExpression(event)
        ? event.properties.find((each) => each.name?.getText() === 'type')
        : undefined;
    return type && ts.isPropertyAssignment(type) && ts.isStringLiteral(type.initializer) ? type.initializer.text : '?';
  };
  /** Collects what is sent in a node, and in the functions of the file that it names. */
  const collect = (node: ts.Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (ts.isJsxAttribute(node)) return; // a handler of the user's events
    if (ts.isCallExpression(node) && nameOf(node.expression) === 'send') sent.push(typeOf(node.arguments[0]));
    if (ts.isIdentifier(node)) {
      const named = functions.get(node.text);
      if (named) collect(named);
    }
    node.forEachChild(collect);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && unasked.test(nameOf(node.expression))) node.arguments.forEach(collect);
    node.forEachChild(visit);
  };
  visit(file);
  return sent;
}

const files = ['src/app', 'src/steps', 'src/ui'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
);

const machines = await allMachines();
const writing = new Set(machines.flatMap((machine) => [...writeEvents(machine)]));

describe('an event that leads to a write', () => {
  it('is one of those with which users send, pay and delete', () => {
    expect([...writing]).toEqual(
      expect.arrayContaining(['form.submit', 'payment.pay', 'delete.confirm', 'company.use', 'retry', 'login.start']),
    );
    expect(writing).not.toContain('batch.read');
  });

  it('is sent by no effect of the page: only a user’s event starts a write (behaviour 4.55)', () => {
    const found = files.flatMap((file) =>
      sentUnasked(readFileSync(file, 'utf8')).flatMap((type) => (writing.has(type) ? [`${file} sends ${type}`] : [])),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['in an effect', `function A() { useEffect(() => { actor.send({ type: 'form.submit' }); }, []); }`],
    [
      'in a function that an effect calls',
      `function A() { const go = () => actor.send({ type: 'form.submit' }); useEffect(() => go()); }`,
    ],
    ['once the server is back', `function A() { useOnServerBack(problem, () => send({ type: 'form.submit' })); }`],
    [
      'after a delay',
      `function A() { useLayoutEffect(() => { setTimeout(() => send({ type: 'form.submit' }), 5); }); }`,
    ],
  ])('is found if it is sent %s', (_, text) => {
    expect(sentUnasked(text)).toContain('form.submit');
  });

  it('is not reported if the user sends it', () => {
    expect(sentUnasked(`const A = () => <Button onClick={() => actor.send({ type: 'form.submit' })} />`)).toEqual([]);
  });
});
