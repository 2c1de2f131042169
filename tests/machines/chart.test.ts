import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMachine, setup } from 'xstate';
import type { Box, DrawnChart } from '#app/charts/drawnChart.ts';
import { beginning, shortestPath, waysOut } from '#machines/lib/chart.ts';
import { chartOf } from '../../scripts/charts/chartOf.ts';
import { journeyOrder } from '#machines/journeys.ts';
import { connectionMachine } from '#machines/connection.machine.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import { subscriptionApproval } from '#machines/subscription/rows.ts';
import { faultOnArrowMachine } from '#machines/lab/faultOnArrow.machine.ts';
import { labFormMachine } from '#machines/lab/labForm.machine.ts';
import { resourceMachine } from '#machines/lib/resource.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { workspaceMachine } from '#machines/onboarding/workspace.machine.ts';
import { describedGuard } from '#machines/lib/describe.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { goalsOf, statesOf } from '#tests/support/pathsFaults.ts';
import { models } from './models.ts';
import { chartFiles, folder, layoutsFile } from '../../scripts/charts/files.ts';
import { laidOut } from '../../scripts/charts/layout.ts';

const machines = [
  ...journeyOrder.map((id) => models[id].machine),
  consoleMachine,
  workspaceMachine,
  messageMachine,
  subscriptionApproval,
  labFormMachine,
  resourceMachine,
  programsMachine,
  faultOnArrowMachine,
  connectionMachine,
];

/** Each machine's layout: as npm run charts has written it, or made here for those that no page shows. */
const written = JSON.parse(readFileSync(layoutsFile, 'utf8')) as Record<string, DrawnChart>; // by npm run charts
const layouts = new Map<string, DrawnChart>();
for (const machine of machines) layouts.set(machine.id, written[machine.id] ?? (await laidOut(chartOf(machine))));

const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const failsAsking = 'xstate.error.actor.askOutcome';

it.each(machines.map((machine) => [machine.id, machine] as const))(
  '%s tags exactly the states after a failed poll for a message’s response as sent',
  (_, machine) => {
    const states = statesOf(machine);
    const after = states.flatMap(({ transitions }) =>
      [...transitions].flatMap(([type, branches]) =>
        type === failsAsking ? branches.flatMap(({ target = [] }) => target.map(({ id }) => id)) : [],
      ),
    );
    // The page of its approval polls for the same response.
    const approving = states
      .filter(({ invoke }) => invoke.some(({ id }) => machine.implementations.actors[id] === messageApproval))
      .map(({ id }) => id);
    const sent = states.filter(({ tags }) => tags.includes('sent')).map(({ id }) => id);
    expect(sent.sort()).toEqual([...new Set([...after, ...approving])].sort());
  },
);

/** The states of each drawing in docs/charts, which machines with the same chart share. */
const drawings = readdirSync('docs/charts')
  .filter((file) => file.endsWith('.svg'))
  .map((file) => readFileSync(`docs/charts/${file}`, 'utf8').matchAll(/data-state="([^"]+)"/g))
  .map((found) => [...found].map(([, state]) => state));

it('a state that invokes a machine is drawn as one, with a link to the chart of that machine', () => {
  const invoking = chartOf(models.debtor.machine).states.filter(({ invokes }) => invokes !== undefined);
  expect(invoking.map(({ id, invokes }) => [id, invokes])).toEqual([
    ['messaging', 'message'],
    ['approving', 'approval'],
    ['resending', 'message'],
  ]);
  const drawing = readFileSync('docs/charts/debtor.svg', 'utf8');
  expect(drawing.match(/<a href="message.svg"><g data-state="[a-z]+"/g)).toHaveLength(2);
  expect(drawing.match(/<a href="approval.svg"><g data-state="[a-z]+"/g)).toHaveLength(1);
  for (const invoked of ['message', 'approval']) expect(existsSync(`docs/charts/${invoked}.svg`)).toBe(true);
});

describe.each(machines.map((machine) => [machine.id, machine] as const))('the chart of %s', (id, machine) => {
  const drawn = layouts.get(id)!; // each machine has one

  it('draws each state once', () => {
    expect(drawn.states.map((state) => state.id)).toEqual(statesOf(machine).map(({ path }) => path.join('.')));
    expect(drawings).toContainEqual(drawn.states.map((state) => state.id));
  });

  it('draws each transition', () => {
    const transitions = drawn.edges.flatMap((edge) => edge.transitions);
    // Transitions of the root apply in each state and are not drawn.
    const goals = goalsOf(machine).transitions.filter((name) => !name.startsWith(`${machine.id}: `));
    expect(transitions).toHaveLength(goals.length);
    expect(new Set(drawn.edges.map(({ from, to }) => `${from} ${to}`)).size).toBe(drawn.edges.length);
  });

  it('marks gates with their alerts in order, and describes each visible state', () => {
    const gates = statesOf(machine).filter(({ tags }) => tags.includes('gate'));
    const textOf = (alerts: readonly string[]) =>
      alerts.length > 1 ? alerts.map((alert, index) => `${index + 1}. ${alert}`).join(' ') : alerts.join(' ');
    const marked = drawn.states.filter(
      ({ kind, alerts = [], lines }) => kind === 'gate' && alerts.length > 0 && lines.join(' ') === textOf(alerts),
    );
    expect(marked.map((state) => state.id)).toEqual(gates.map(({ path }) => path.join('.')));
    expect(drawn.states.filter(({ kind, description }) => kind !== 'deciding' && description === '')).toEqual([]);
  });

  it('draws no label over another element', () => {
    const labels = drawn.edges.flatMap(({ transitions }) => transitions.flatMap(({ label }) => label ?? []));
    const parents = new Set(drawn.states.map(({ parent }) => parent));
    const boxes = drawn.states.filter((state) => !parents.has(state.id)).map(({ box }) => box);
    const taken = [...boxes, ...labels];
    const overlapping = labels.flatMap((label) => taken.filter((other) => other !== label && meet(label, other)));
    expect(overlapping).toEqual([]);
  });

  it('has a path from the initial state to each state', () => {
    const chart = chartOf(machine);
    const lost = drawn.states.filter(({ id }) => !shortestPath(chart, beginning(chart, id), id));
    expect(lost).toEqual([]);
  });
});

describe('the shortest path to a state in a chart', () => {
  const chart = chartOf(models.debtor.machine);
  const payment = chartOf(models.electronicPayment.machine);
  const wordsTo = (to: string, from = 'form.editing') => shortestPath(chart, from, to)?.map(({ words }) => words);

  it('is described with the words of the screen', () => {
    expect(wordsTo('succeeded')).toEqual(['Press “Create debtor”, if nothing is in error', 'It ends, otherwise']);
  });

  it('has the fewest steps', () => {
    expect(wordsTo('cancelled')).toEqual(['Press “Cancel”']);
  });

  it('ends where a group of states is entered, and is empty within the group', () => {
    expect(shortestPath(payment, 'loading', 'choosing')).toHaveLength(1);
    expect(shortestPath(payment, 'choosing.form.invalid', 'choosing')).toEqual([]);
  });

  it('does not exist from a final state', () => {
    expect(wordsTo('form.editing', 'cancelled')).toBeUndefined();
  });

  it('may start with a transition of a parent state', () => {
    expect(waysOut(payment, 'choosing.form.invalid').map(({ words }) => words)).toEqual([
      'Choose a bank account',
      'Choose an execution date',
      'Fill in a field',
      'Press “Fill with example”, if it is the sandbox',
      'Choose in “Show”',
      'Tick invoices',
      'Press “Review”, if nothing is in error',
      'Press “Review”, otherwise',
      'Press “Cancel”',
    ]);
  });
});

describe('the texts of a chart', () => {
  it.each([
    ['the event go', { a: { on: { go: 'a' } } }],
    ['its delay', { a: { after: { pause: 'a' } } }],
    ['the guard isFull', { a: { always: { guard: 'isFull', target: 'b' } }, b: {} }],
  ])('are reported missing by name: %s', (what, states) => {
    expect(() => chartOf(createMachine({ id: 'toy', initial: 'a', states }))).toThrow(`says nothing of ${what}`);
  });

  it('of an event are given once per machine, unless a state overrides them', () => {
    const b = { on: { go: 'a', retry: 'a' } };
    const c = { on: { go: { target: 'a', description: 'Go back' } } };
    const a = { on: { go: { target: 'b', description: 'Go on' } } };
    const { transitions } = chartOf(createMachine({ initial: 'a', states: { a, b, c } }));
    expect(transitions.map(({ from, words }) => [from, words])).toEqual([
      ['a', 'Go on'],
      ['b', 'Go on'],
      ['b', 'Press “Try again”'],
      ['c', 'Go back'],
    ]);
  });

  it('for leaving name the button that the page shows in that state', () => {
    const on = { 'form.cancel': 'out' };
    const states = { failed: { tags: 'failed', on }, form: { tags: ['form', 'failed'], on }, out: {} };
    const { transitions } = chartOf(createMachine({ initial: 'failed', states }));
    expect(transitions.map(({ words }) => words)).toEqual(['Press “Close”', 'Press “Cancel”']);
  });

  it('of a guard follow “if”, and a transition without a guard reads “otherwise”', () => {
    const guards = { isFull: describedGuard('it is full', () => true) };
    const states = { a: { always: [{ guard: 'isFull', target: 'b' }, { target: 'c' }] }, b: {}, c: {} } as const;
    const { transitions } = chartOf(setup({ guards }).createMachine({ initial: 'a', states }));
    expect(transitions.map(({ words }) => words)).toEqual(['if it is full', 'otherwise']);
  });

  it.each(['onDone', 'onError'])('of an invocation require an effect that the machine declares: %s', (end) => {
    const invoke = { id: 'unheard', src: 'unheard', [end]: 'a' };
    expect(() => chartOf(createMachine({ id: 'toy', initial: 'a', states: { a: { invoke } } }))).toThrow(
      'toy declares no effect unheard',
    );
  });

  it('name controls that exist on some screen (behaviour 10.16.1)', () => {
    const folder = (name: string) =>
      readdirSync(name, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const screens = ['src/steps', 'src/ui', 'src/app', 'src/contract']
      .flatMap((room) => folder(room).map((file) => readFileSync(`${room}/${file}`, 'utf8')))
      .join('\n');
    const all = new Set(machines.flatMap((each) => chartOf(each).transitions.map(({ words }) => words)));
    // A label whose end varies ends in " …".
    const labels = [...all].flatMap((words) => [...words.matchAll(/“(.+?)(?: …)?”/g)].map(([, label]) => label ?? ''));
    expect(labels.length).toBeGreaterThan(20);
    const onScreen = ['debtors', 'creditors'].map((many) => screens.replaceAll('{words.many}', many)).join('\n');
    expect(labels.filter((label) => !onScreen.includes(label))).toEqual([]);
  });
});

// A new layout of all charts takes ten seconds, so unchanged charts are not laid out again.
it('docs/charts match the machines: run npm run charts after a change of a machine or its texts', async () => {
  const files = await chartFiles({ kept: !allPaths });
  const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
  expect(readdirSync(folder).filter((file) => !files.has(`${folder}/${file}`))).toEqual([]);
}, 120_000);
