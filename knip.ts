import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'server/main.ts',
        'server/sandboxMain.ts',
        'server/config/envFile.ts',
        'server/ops/backupCommand.ts',
        'server/ops/copyStoreCommand.ts',
        'server/ops/rotateKeyCommand.ts',
        'server/ops/usersCommand.ts',
        'src/command/main.ts',
        'src/command/mcp/main.ts',
        'server/verify/main.ts',
        'server/description/printCommand.ts',
        'server/drift/driftCommand.ts',
        'server/situations/situationCommand.ts',
        'examples/{*,tests/*}/*.mjs',
        'scripts/*.{mjs,ts}',
        'src/app/prerender.tsx',
        'tests/**/*.test.{ts,tsx}',
        'tests/machines/*.models.ts',
        'tests/{simulation/main,architecture/lowerRooms,support/slowestFiles}.ts',
        'deploy/try/main.ts',
      ],
      project: [
        'src/**/*.{ts,tsx}',
        'server/**/*.ts',
        'tests/**/*.{ts,tsx}',
        'scripts/**/*.{mjs,ts}',
        'examples/**/*.mjs',
        'deploy/try/*.ts',
      ],
      // `npm run check` of the example compiles it.
      ignoreUnresolved: ['./built/pay.js'],
      ignoreBinaries: ['apt-get', 'nginx', 'openssl', 'systemd-analyze'],
      // The example for Jest is installed in a project of its own; a test imports the generator without its types.
      ignoreDependencies: ['@jest/globals', '@cityssm/eft-generator'],
    },
    tools: {
      entry: [
        '*/main.ts',
        'bench/{fill,floor,pace,plainProxy,service}.ts',
        'explore/specification.ts',
        'mutants/{run,runner,testRunner,vitest.config}.mjs',
      ],
      project: ['**/*.{mjs,ts}'],
      stryker: { config: 'mutants/stryker.config.mjs' },
      vitest: false,
      ignoreDependencies: [
        ...['@mockoon/cli', '@stoplight/prism-cli', '@stryker-mutator/core', 'autocannon', 'web-vitals'],
        // Parts of Stryker, vitest and tsx, by which mutants are tried in one process.
        ...['@stryker-mutator/api', '@vitest/runner', 'tinyglobby'],
      ],
    },
  },
};

export default config;
