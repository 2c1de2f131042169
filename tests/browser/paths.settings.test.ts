import { testJourneysOf } from './paths/walked.ts';

await testJourneysOf('settings');
