import { join } from 'node:path';
import { room, rooms } from './rooms.mjs';

/** Sentences for people: of a state, of a journey, of what a port brings; and what declares them (`machines/lib/describe.ts`). */
const sentences = ['description', 'summary', 'answers', 'fails'];
const declaring = [
  'pressLabel',
  'selectLabel',
  'describedGuard',
  'permits',
  'effect',
  'readTexts',
  'readOneTexts',
  'actionTexts',
  'succeededState',
];

/** No behaviour: sentences for people, an effect that only its type can name, and the types that a setup is given. */
const reasonToIgnore = ({ node, parent }) => {
  if (node.type === 'StringLiteral' && declaring.includes(parent?.callee?.name)) return 'A sentence for people';
  if (node.type === 'ObjectExpression' && ['effect', 'poll'].includes(parent?.callee?.name))
    return 'Sentences for people';
  if (parent?.type !== 'ObjectProperty' || parent.value !== node) return undefined;
  if (node.type === 'StringLiteral' && sentences.includes(parent.key.name)) return 'A sentence for people';
  return node.type === 'ObjectExpression' && parent.key.name === 'types' ? 'Types only' : undefined;
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'no-behaviour', value: { shouldIgnore: reasonToIgnore } }];

const isOfMachines = room.startsWith('machines/');

export default {
  mutate: rooms[room].mutate,
  ignorePatterns: ['dist', 'public', 'coverage', '.data'],
  plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'testRunner.mjs'), import.meta.filename],
  ignorers: ['no-behaviour'],
  // Of the machines, whose charts are built when they are loaded, each mutant loads everything anew.
  testRunner: isOfMachines ? 'bundled' : 'vitest',
  coverageAnalysis: isOfMachines ? 'off' : 'perTest',
  // All tests of the room: those that load a machine when they need it do not count as related to its file.
  vitest: { configFile: 'tools/mutants/vitest.config.mjs', related: false },
  // A chart is built when it is loaded, so its mutants are static: without them the charts would not be tried at all.
  ignoreStatic: false,
  // Loops without end are mostly found by counting; a busy machine must not pass for a killed mutant.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  warnings: { slow: false },
  cleanTempDir: 'always',
  // What was tried file by file adds up in one report.
  incremental: true,
  incrementalFile: `reports/mutants/${room}.json`,
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: `reports/mutants/${room}.html` },
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
