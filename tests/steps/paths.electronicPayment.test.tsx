// @vitest-environment jsdom
import { testScreens } from '#tests/support/screenTests.tsx';

await testScreens('electronicPayment');
