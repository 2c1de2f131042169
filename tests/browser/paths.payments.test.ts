import { testJourneys } from './paths/walked.ts';

await testJourneys('electronicPayment', 'filePayment', 'batch', 'batchList', 'transfer');
