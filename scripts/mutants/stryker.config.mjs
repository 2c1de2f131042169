import { room, rooms } from './rooms.mjs';

/** No behaviour: sentences for people (of a state, of a journey), and the types that a chart's setup is given. */
const sentences = ['description', 'summary'];

const reasonToIgnore = ({ node, parent }) => {
  if (parent?.type !== 'ObjectProperty' || parent.value !== node) return undefined;
  if (node.type === 'StringLiteral' && sentences.includes(parent.key.name)) return 'A sentence for people';
  return node.type === 'ObjectExpression' && parent.key.name === 'types' ? 'Types only' : undefined;
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'no-behaviour', value: { shouldIgnore: reasonToIgnore } }];

export default {
  mutate: rooms[room].mutate,
  ignorePatterns: ['dist', 'public', 'coverage', '.data'],
  plugins: ['@stryker-mutator/vitest-runner', import.meta.filename],
  ignorers: ['no-behaviour'],
  testRunner: 'vitest',
  // All tests of the room: those that load a machine when they need it do not count as related to its file.
  vitest: { configFile: 'scripts/mutants/vitest.config.mjs', related: false },
  // A chart is built when it is loaded, so its mutants are static: without them the charts would not be tried at all.
  ignoreStatic: false,
  // Loops without end are mostly found by counting; a busy machine must not pass for a killed mutant.
  timeoutMS: 60_000,
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
