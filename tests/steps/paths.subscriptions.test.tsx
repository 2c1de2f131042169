// @vitest-environment jsdom
import { testScreens } from '#tests/support/screenTests.tsx';

await testScreens('subscription', 'bankSubscription', 'authorisation', 'bankFiles', 'providers', 'additionalData');
