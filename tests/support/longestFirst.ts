import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, in this order: what begins last would be waited for alone. */
const longest = [
  'paths.party.test.ts',
  'screens.test.ts',
  'guidedPath.test.ts',
  'keyboard.test.ts',
  'paths.subscription.test.ts',
  'paths.payment.test.ts',
  'gates.test.ts',
  'once.test.ts',
  'states.test.ts',
  'hostileService.test.ts',
  'hostileWebhooks.test.ts',
  'program.test.ts',
  'combinations.test.ts',
  'chart.test.ts',
  'paths.party.test.tsx',
  'paths.payment.test.tsx',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.indexOf(basename(moduleId));
  return place < 0 ? longest.length : place;
};

/** Starts the longest files first, also where no run has been before that tells which they are. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
