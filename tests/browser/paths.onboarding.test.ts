import { testJourneys } from './paths/walked.ts';

await testJourneys(
  'settings',
  'consumerHealth',
  'messagingHealth',
  'translations',
  'organisation',
  'company',
  'accessToken',
  'userToken',
  'account',
  'dataset',
);
