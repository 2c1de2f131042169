import { testJourneysOf } from './paths/walked.ts';

await testJourneysOf('subscription');
