/** The tests of an area's machines besides its generated paths, by the beginning of their names; most mutants die by them. */
const areas = {
  batch: ['batch*'],
  lookup: ['lookup*', 'additionalData*'],
  onboarding: ['onboarding*', 'accessToken*', 'userToken*', 'workspace*'],
  party: ['party*', 'query*', 'draft*'],
  payment: ['payment*', 'draft*'],
  settings: ['settings*'],
  subscription: ['subscription*', 'authorisation*', 'draft*'],
};

/** Tried on what survives the area's own tests: its generated paths, and what every area uses. */
const others = [
  'tests/paths/actors.test.ts',
  'tests/machines/{draft,form,gates,journeys,port,requirements}.test.ts',
  'tests/specification/section{2,5,6}.test.ts',
];

/** An area is tried with its own tests: a fault in its charts that only another area's tests find survives. */
const machinesOf = ([area, own]) => [
  `machines/${area}`,
  {
    mutate: [`src/machines/${area}/*.ts`],
    area,
    tests: ['states', ...own].map((name) => `tests/machines/${name}.test.ts`),
    others,
  },
];

/** What holds the console's writes: each of their rooms is tried by its own tests, and what survives by all of it. */
const ofWrites = (room) => ({
  tests: [`tests/server/${room}/*.test.ts`],
  others: [
    'tests/server/{writes,payments,calls}/*.test.ts',
    'tests/app/client/sendRecorded.test.ts',
    'tests/server/companies/companyList.test.ts',
    'tests/server/storage/writes.test.ts',
  ],
  // A module that one of them replaces would be replaced for the others too.
  without: ['tests/**/*.long.test.ts', 'tests/server/calls/sharedFailures.test.ts'],
});

/** What is mutated, room by room, and the quick tests that are tried on it. */
export const rooms = {
  rules: {
    mutate: ['src/rules/**/*.ts'],
    tests: ['tests/rules/**/*.test.ts', 'tests/specification/section{3,5}.test.ts'],
  },
  ...Object.fromEntries(Object.entries(areas).map(machinesOf)),
  'machines/lab': {
    mutate: ['src/machines/lab/*.ts'],
    area: 'console',
    tests: ['tests/machines/{lab,faultOnArrow,programs,resources,situations,ways}.test.ts'],
    others: ['tests/paths/actors.test.ts'],
  },
  'machines/console': {
    mutate: ['src/machines/console*.ts'],
    tests: ['tests/machines/{console.{actors,events,facts,meanwhile,navigation,shown},readAgain}.test.ts'],
    others: ['tests/machines/{console.model,console.readings,console.switch,journeys,order}.test.ts'],
  },
  /** What journeys converse by: a message, an approval, a poll. */
  'machines/conversations': {
    mutate: ['src/machines/lib/{message.machine,messageOutcome,messaging,approval.machine,poll,resend}.ts'],
    tests: ['tests/machines/{message,messaging,approval,poll,answer,party.*,query.*,authorisation.*}.test.ts'],
    area: 'party',
    others: ['tests/paths/actors.test.ts', 'tests/machines/{batch.model,situations}.test.ts'],
  },
  'machines/shared': {
    mutate: [
      'src/machines/!(console)*.ts',
      'src/machines/lib/!(chart|state|message.machine|messageOutcome|messaging|approval.machine|poll|resend).ts',
    ],
    tests: ['tests/machines/**/*.test.ts', 'tests/paths/actors.test.ts', 'tests/specification/section{2,5,6}.test.ts'],
    // Any other chart makes a drawing stale, whether it is right or wrong; the other file walks a whole console.
    without: ['tests/machines/{chart,operationSteps}.test.ts'],
  },
  /** How machines are drawn and told; the words themselves are for people. */
  charts: {
    mutate: ['src/machines/lib/{chart,state}.ts', 'scripts/charts/{chartOf,origins}.ts'],
    tests: ['tests/machines/{chart,state}.test.ts'],
  },
  writes: { mutate: ['server/writes/*.ts', 'server/storage/{writes,invoiceLines}.ts'], ...ofWrites('writes') },
  payments: { mutate: ['server/payments/*.ts'], ...ofWrites('payments') },
  calls: { mutate: ['server/calls/*.ts'], ...ofWrites('calls') },
  storage: { mutate: ['server/storage/*.ts'], tests: ['tests/server/storage/*.test.ts'] },
};

/** The room of this process: run.mjs starts one for each. */
export const room = process.env.ROOM ?? 'rules';
