import { testJourneys } from './paths/walked.ts';

await testJourneys('subscription', 'bankSubscription', 'authorisation', 'bankFiles', 'providers', 'additionalData');
