import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { checks } from '#server/programs/checks/index.ts';
import type { Exercise } from '#server/programs/checks/evidence.ts';
import { comparedMembers, uncomparedMembers, undisturbed } from '#server/programs/checks/paid.ts';
import { variableRows } from '#server/verify/environment.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';
import type { Scenario } from '#server/verify/scenarios/scenario.ts';
import { citedFor } from '#server/verify/transcript.ts';
import { excusable } from '#server/verify/standstill.ts';
import { webhookOrders } from '#server/verify/webhookTests.ts';
import { withRows } from '#tests/support/documentTables.ts';

const file = 'docs/verify.md';
const code = (text: string): string => `\`${text}\``;

/** The leaves of a batch as the document shows it; those of a payment without the list's name. */
function leavesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
}

const faultOf = ({ on, of: at, fault }: Exercise): string => `${on} ${at}: ${fault.kind}`;
/** What happens in a scenario: its faults, and what becomes of payments by a word in the creditor's name. */
const happenings = ({ faults, words = [] }: Scenario): string[] => [
  ...faults.map(faultOf),
  ...words.filter((word) => word !== '').map((word) => `creditor: ${word}`),
];
const laterIn = ({ later = [] }: Scenario): string[] => later.map(faultOf);
const faulty = [...new Set([...scenarios.flatMap(happenings), ...scenarios.flatMap(laterIn)])];
/** The scenarios with a fault, and with one of these courses. */
const idsFor = (fault: string, courses: readonly string[], happeningsOf = happenings): string =>
  scenarios
    .filter((scenario) => courses.includes(scenario.course) && happeningsOf(scenario).includes(fault))
    .map(({ id }) => code(id))
    .join(', ') || '-';

const tables = {
  members: [
    ...comparedMembers.map(({ member }) => [member.split(', ').map(code).join(', '), code('write-paid')]),
    ...uncomparedMembers.map(([member, reason]) => [code(member), `not compared: ${reason}`]),
  ],
  faults: faulty.map((fault) => [
    fault,
    idsFor(fault, ['once', 'later']),
    idsFor(fault, ['killed']),
    idsFor(fault, ['twice']),
    idsFor(fault, ['again']),
    idsFor(fault, ['later'], laterIn),
  ]),
  orders: webhookOrders.map(([order, scenario, sent]) => [order, code(scenario), sent]),

  variables: variableRows.map(([name, says]) => [code(name), says]),
  scenarios: scenarios.map(({ id, title, checks: ids }) => [code(id), title, ids.map(code).join(', ')]),
  checks: checks.map(({ id, title, mend }) => [code(id), title, mend.replaceAll('|', '\\|')]),
};

it('the document of verify lists the variables, scenarios and checks of the code (behaviour 10.21.1)', async () => {
  await expect(await withRows(file, tables)).toMatchFileSnapshot(`../../../${file}`);
});

it('each member of a batch in the document is compared with the invoice, or says why not (behaviour 10.21.24)', () => {
  const [, batch = ''] = /A batch that fits[^`]*```json\n(.*?)```/s.exec(readFileSync(file, 'utf8')) ?? [];
  const { data } = JSON.parse(batch) as { data: object };
  const known = [
    ...comparedMembers.flatMap(({ member }) => member.split(', ')),
    ...uncomparedMembers.map(([member]) => member),
  ];
  expect(leavesOf(data).length).toBeGreaterThan(8);
  expect(leavesOf(data).filter((leaf) => !known.includes(leaf))).toEqual([]);
  const ids = scenarios.map(({ id }) => id);
  expect(undisturbed.filter((id) => !ids.includes(id))).toEqual([]);
  expect(webhookOrders.filter(([, id]) => !ids.includes(id))).toEqual([]);
});

it('the checks that a machine which stands still excuses are those that the document names (behaviour 10.21.31)', () => {
  const [, named = ''] = /because it is late, gives up, or is ended: ([^.]+)\./.exec(readFileSync(file, 'utf8')) ?? [];
  expect(named.split(/,\s/)).toEqual(excusable.map(code));
  expect(excusable.filter((id) => checks.every((check) => check.id !== id))).toEqual([]);
});

it('for each check, the sections are named that say what is right (behaviour 10.21.26)', () => {
  expect(checks.filter(({ id }) => citedFor(id) === '')).toEqual([]);
});

it('the README says in how many situations a program is started', () => {
  const usual = scenarios.filter(({ repeats }) => !repeats).length;
  const readme = readFileSync('README.md', 'utf8');
  expect(readme).toContain(`starts it in ${usual} situations`);
  expect(readme).toMatch(new RegExp(`\\n 1/${usual} .*\\n 5/${usual} `));
});

it('every scenario is for checks that exist, and every check belongs to a scenario, unless any call exercises it', () => {
  const ids = checks.map(({ id }) => id);
  const named = scenarios.flatMap((scenario) => scenario.checks);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  const always = ['request-secret-in-address', 'request-members', 'truth-ends', 'truth-result'];
  expect(ids.filter((id) => !named.includes(id))).toEqual(always);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the workflow of GitHub Actions runs verify with a JUnit report, and uploads it whatever the status', () => {
  const workflow = parse(readFileSync('examples/github-actions/verify.yml', 'utf8')) as {
    on: object;
    jobs: Record<string, { 'runs-on': string; steps: { uses?: string; run?: string; if?: string; with?: object }[] }>;
  };
  const { steps, 'runs-on': machine } = workflow.jobs['verify']!;
  expect([Object.keys(workflow.on), machine]).toEqual([['push', 'pull_request'], 'ubuntu-latest']);
  expect(steps.every(({ uses, run }) => (uses === undefined) !== (run === undefined))).toBe(true);
  const [, { run = '' } = {}] =
    steps.flatMap((step, index) => (step.run?.includes('verify') ? [[index, step] as const] : []))[0] ?? [];
  expect(run).toMatch(/^npx payments-out-console verify --report verify\.xml .*-- /);
  expect(steps.at(-1)).toMatchObject({ uses: 'actions/upload-artifact@v4', if: 'always()' });
});
