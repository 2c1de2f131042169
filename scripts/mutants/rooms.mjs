/** What is mutated, room by room, and the quick tests that are tried on it. */
export const rooms = {
  rules: {
    mutate: ['src/rules/**/*.ts'],
    tests: ['tests/rules/**/*.test.ts', 'tests/specification/section{3,5}.test.ts'],
  },
  machines: {
    mutate: ['src/machines/!(chart|chartOf|state).ts', 'src/machines/*/*.ts'],
    tests: ['tests/machines/**/*.test.ts', 'tests/specification/section{2,5,6}.test.ts'],
    // Any other chart makes a drawing stale, whether it is right or wrong.
    without: ['tests/machines/chart.test.ts'],
  },
  /** How machines are drawn and told; the words themselves are for people. */
  charts: { mutate: ['src/machines/{chart,chartOf,state}.ts'], tests: ['tests/machines/{chart,state}.test.ts'] },
  store: { mutate: ['server/store/**/*.ts'], tests: ['tests/server/{store*,sealing}.test.ts'] },
};

/** The room of this process: run.mjs starts one for each. */
export const room = process.env.ROOM ?? 'rules';
