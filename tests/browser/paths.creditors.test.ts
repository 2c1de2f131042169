import { testJourneys } from './paths/walked.ts';

await testJourneys('creditor', 'creditorQuery');
