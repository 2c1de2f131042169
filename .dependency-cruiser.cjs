/** Directions of import: contract <- rules <- machines <- steps, runner <- app <- command; rules <- ui <- steps; rules <- server. */
const rooms = {
  contract: ['contract'],
  rules: ['contract', 'rules'],
  machines: ['contract', 'rules', 'machines'],
  ui: ['contract', 'rules', 'ui'],
  steps: ['contract', 'rules', 'ui', 'machines', 'steps'],
  runner: ['contract', 'rules', 'machines', 'runner'],
  app: ['contract', 'rules', 'ui', 'machines', 'steps', 'runner', 'app'],
  command: ['contract', 'rules', 'ui', 'machines', 'steps', 'runner', 'app', 'command'],
};

const directions = Object.entries(rooms).map(([room, may]) => ({
  name: `${room}-imports-only-${may.join('-')}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  // What writes a command's report is that of `verify` too.
  to: {
    path: '^(src|server|tests)/',
    pathNot: `^src/(${may.join('|')})/${room === 'command' ? '|^server/reportFile\\.ts$' : ''}`,
  },
}));

/** The folders of the page, from the lowest to the highest; each may import from those before it. */
const folders = [
  ...['client/', 'theme/', 'effects/', 'console/', 'frame/', 'charts/', 'journey/inspector/', 'journey/[^/]+$'],
  ...['tools/timeline/', 'tools/lab/', 'tools/description/', 'home/'],
];

/** Code that is loaded on demand is named by what shows it, wherever that is. */
const arrows = folders.slice(0, -1).map((folder, index) => ({
  name: `app-${folder}-imports-from-no-higher-folder`,
  severity: 'error',
  from: { path: `^src/app/${folder}` },
  to: {
    path: `^src/app/(${folders.slice(index + 1).join('|')}|(App|Root|main|prerender)\\.tsx$)`,
    dependencyTypesNot: ['dynamic-import'],
  },
}));

module.exports = {
  forbidden: [
    ...directions,
    ...arrows,
    {
      name: 'routes-import-what-shows-them-only-on-demand',
      severity: 'error',
      from: { path: '^src/app/routes\\.ts$' },
      to: { path: '^src/app/', pathNot: '^src/app/(client|frame)/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'components-send-no-calls',
      comment: 'Components run machines; effects send the calls.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app/(client|effects)/|command/)' },
      to: { path: '^src/app/client/(client|http|switchCompany|withIdempotencyKey)\\.ts$' },
    },
    {
      name: 'server-meets-page-only-over-http',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(src/(ui|machines|steps|runner|app|command)|tests)/' },
    },
    {
      name: 'sandbox-knows-only-the-wire',
      comment:
        'The sandbox may use contract, rules, the wire shapes with their description and what any program needs to run; main puts the two applications together.',
      severity: 'error',
      from: { path: '^server/sandbox/' },
      to: {
        path: '^server/',
        pathNot:
          '^server/(sandbox/|description/|http/|storage/|upstream/(answers|operations|security|webhooks|wire|signature|webhookSignature)|clock|escapeId|failure|version)',
      },
    },
    {
      name: 'console-does-not-know-its-sandbox',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/(sandbox/|embedded/|verify/|main|sandboxMain|ops/startFailure|programs/sandboxTap)',
      },
      // What a sandbox records, and the rules of its faults, have only types.
      to: { path: '^server/sandbox/', pathNot: '^server/sandbox/(recorded|faultRules)' },
    },
    {
      name: 'the-product-needs-no-tools',
      comment: 'Of the tests only those of the tools import from there.',
      severity: 'error',
      from: { path: '^(src|server|tests)/', pathNot: '^tests/tools/' },
      to: { path: '^tools/' },
    },
    {
      name: 'server-foundations-know-no-area',
      severity: 'error',
      from: { path: '^server/(storage|http|upstream|calls|timeline)/' },
      to: {
        path: '^server/(auth|companies|messages|webhooks|payments|programs|api|ops|sandbox|embedded|config)/|^server/(app|main)',
      },
    },
    {
      name: 'storage-knows-only-itself',
      severity: 'error',
      from: { path: '^server/storage/' },
      to: { path: '^server/', pathNot: '^server/(storage/|asyncContext|clock|escapeId|concurrency|failure)' },
    },
    {
      name: 'areas-do-not-know-the-api',
      severity: 'error',
      from: { path: '^server/(auth|companies|messages|webhooks|payments|programs)/' },
      to: { path: '^server/(api|ops|embedded|config)/|^server/(app|main)' },
    },
    {
      name: 'contract-imports-only-what-its-schemas-need',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: 'node_modules', pathNot: 'node_modules/(zod|currency-codes)' },
    },
    {
      name: 'machines-import-only-xstate',
      severity: 'error',
      from: { path: '^src/machines/' },
      to: { path: 'node_modules', pathNot: 'node_modules/xstate' },
    },
    {
      name: 'journeys-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/machines/([^/]+/)[^/]+\\.machine\\.ts$' },
      // Except those that journeys invoke.
      to: { path: '^src/machines/(journeys|console\\.machine|.+\\.machine)\\.ts$', pathNot: '^src/machines/lib/' },
    },
    {
      name: 'paths-are-generated-in-one-place',
      severity: 'error',
      from: { pathNot: '^tests/support/' },
      to: { path: 'node_modules/(@xstate/test|xstate/graph|xstate/dist/xstate-graph)' },
    },
    {
      name: 'no-cycles-in-server-and-page',
      comment: 'Type-only imports included: a reader meets them as well.',
      severity: 'error',
      from: { path: '^(server|src)/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-in-tests',
      severity: 'error',
      from: { pathNot: '^(server|src)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-folders-in-server',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/[^/]+$' },
      to: { circular: true, path: '^server/[^/]+$' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'the-home-page-needs-no-chart',
      severity: 'error',
      from: { path: ['^src/machines/(journeys|journey|requirements)\\.ts$', '^src/machines/[a-z]+/journeys\\.ts$'] },
      to: { path: 'node_modules/xstate' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
    exclude: { path: '^(dist|docs|coverage)/' },
  },
};
