import { areaNames } from '#machines/journeys.ts';
import { openWalker, testConsole, testJourneysOf } from './browserPaths.ts';

const walking = openWalker();

for (const area of areaNames) await testJourneysOf(area, walking);
await testConsole(walking);
