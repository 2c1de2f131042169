// @vitest-environment jsdom
import { areas, walksConsole } from '#tests/support/coverage.ts';
import { testConsole } from './consolePaths.tsx';
import { testScreensOf } from './screenPaths.tsx';

for (const area of areas) await testScreensOf(area);
if (walksConsole) await testConsole();
