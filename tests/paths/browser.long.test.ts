import { areas, walksConsole } from '#tests/support/coverage.ts';
import { openWalker, testConsole, testJourneysOf } from './browserPaths.ts';

const walking = openWalker();

for (const area of areas) await testJourneysOf(area, walking);
if (walksConsole) await testConsole(walking);
