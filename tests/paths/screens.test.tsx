// @vitest-environment jsdom
import { areaNames } from '#machines/journeys.ts';
import { testConsole } from './consolePaths.tsx';
import { testScreensOf } from './screenPaths.tsx';

for (const area of areaNames) await testScreensOf(area);
await testConsole();
