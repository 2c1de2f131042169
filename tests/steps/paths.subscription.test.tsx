// @vitest-environment jsdom
import { testScreensOf } from '#tests/support/screenTests.tsx';

await testScreensOf('subscription');
