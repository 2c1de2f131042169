// @vitest-environment jsdom
import { testScreens } from '#tests/support/screenTests.tsx';

await testScreens(
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
