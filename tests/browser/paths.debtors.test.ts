import { testJourneys } from './paths/walked.ts';

await testJourneys('debtor', 'debtorQuery');
