import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** What neither the page nor the server may say. */
const restricted = [
  {
    // A name may come from an address, a provider or the service, and `constructor` is in every object.
    selector: "BinaryExpression[operator='in'][left.type!='Literal'][left.type!='PrivateIdentifier']",
    message: 'Use Object.hasOwn, or member of #contract/member.ts.',
  },
  {
    // The browser's own would put another calendar, other digits or another order of words into an English page.
    selector:
      ":matches(NewExpression[callee.object.name='Intl'], CallExpression[callee.property.name=/^toLocale.*String$/]):not([arguments.0.name='locale'])",
    message: 'Give the locale of #contract/constants.ts.',
  },
  {
    // A component that selects the whole snapshot or context renders again on every event.
    selector:
      "CallExpression[callee.name=/^(useSelector|useConsole)$/] > ArrowFunctionExpression:matches([params.0.type='Identifier'][body.type='Identifier'], [body.name='context'], [body.type='MemberExpression'][body.object.type='Identifier'][body.property.name='context'])",
    message: 'Select what is drawn, or use useContextValues.',
  },
];

export default tseslint.config(
  // The typed client's packages and generated types are installed only by its test, which compiles it.
  { ignores: ['dist', 'docs', 'coverage', '.data', 'examples/typescript-client'] },
  tseslint.configs.recommendedTypeChecked,
  hooks.configs.flat.recommended,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.cjs', 'scripts/*.mjs', 'tests/support/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ['src/**', 'server/**'],
    rules: { 'no-restricted-syntax': ['error', ...restricted] },
  },
  {
    // Time and chance have one source each, which a simulated world replaces (docs/testing.md, Simulation).
    files: ['server/**'],
    ignores: [
      ...['server/clock.ts', 'server/random.ts'],
      // Programs of their own, and what waits for real sockets, PostgreSQL or other processes.
      ...['server/main.ts', 'server/drift/main.ts', 'server/verify/**', 'server/programs/verdicts.ts'],
      ...['server/ops/program.ts', 'server/ops/traces.ts', 'server/config/complain.ts'],
      ...['server/http/httpServer.ts', 'server/upstream/exchange.ts', 'server/storage/postgres*.ts'],
    ],
    rules: {
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Use a clock.' },
        { object: 'Math', property: 'random', message: 'Use random of #server/random.ts.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:timers/promises', importNames: ['setTimeout'], message: 'Use pause of #server/clock.ts.' },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...restricted,
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Use a clock.' },
      ],
    },
  },
  {
    // What a browser refuses to store must not stop the page.
    files: ['src/**'],
    ignores: ['src/app/client/storage.ts'],
    rules: { 'no-restricted-globals': ['error', 'localStorage', 'sessionStorage'] },
  },
  {
    // Entry states only read: a machine must not reach for effects itself (architecture: rooms).
    files: ['src/machines/**', 'src/runner/**', 'src/rules/**', 'src/contract/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['window', 'document', 'localStorage', 'sessionStorage', 'fetch', 'setTimeout', 'setInterval', 'crypto'],
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
    },
  },
  {
    // What needs the packages of tools/ has no types without them; `npm run check:tools` checks those.
    files: [
      ...['**/*.js', '**/*.cjs', '**/*.mjs'],
      ...[
        'tools/bench/plainProxy.ts',
        'tools/browsers/**',
        'tools/deployment/**',
        'tools/explore/{actions,specification}.ts',
      ],
    ],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
