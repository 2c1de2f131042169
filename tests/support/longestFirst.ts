import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A worker goes on only with a file of the same project: one project after the other. */
const projects = ['screens', 'machines', 'dom', 'dom alone', 'alone', 'postgres', 'node', 'browser'];

/** The files of each project that take longest, in this order: what begins last would be waited for alone. */
const longest = [
  'browser.long.test.ts',
  'screens.test.tsx',
  'screens.test.ts',
  'once.test.ts',
  'newcomer.test.ts',
  'lab.test.tsx',
  'previews.test.ts',
  'companies.test.ts',
  'hostileService.long.test.ts',
  'program.long.test.ts',
  'connections.long.test.ts',
  'faultTable.long.test.ts',
  'combinations.long.test.ts',
  'copyStore.long.test.ts',
  'accidents.long.test.ts',
  'states.long.test.ts',
  'sizes.long.test.ts',
  'pending.test.ts',
];

const placeIn = (list: readonly string[], name: string): number => {
  const place = list.indexOf(name);
  return place < 0 ? list.length : place;
};
const placesOf = ({ project, moduleId }: TestSpecification): [number, number] => [
  placeIn(projects, project.name),
  placeIn(longest, basename(moduleId)),
];

/** Starts the longest files of a project first, also where no run has been before that tells which they are. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => {
      const [[project, file], [otherProject, otherFile]] = [placesOf(a), placesOf(b)];
      return project - otherProject || file - otherFile;
    });
  }
}
