import { describe } from 'vitest';
import { allPaths } from '#tests/support/coverage.ts';
import { mouse } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';
import { testWholePath } from './wholePath.ts';

// By keyboard it is walked in any run.
describe.runIf(allPaths)('by mouse', () => {
  testWholePath(sharedConsole(undefined, 'all'), () => mouse);
});
