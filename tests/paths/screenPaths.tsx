import { configure } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { journeysIn, type Area, type JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { steps } from '#steps/steps.ts';
import { screenFor } from '#tests/steps/screens.ts';
import { allPaths, record } from '#tests/support/coverage.ts';
import { chartBranch } from '#tests/support/chartNames.ts';
import { fewOf, walkedBy } from '#tests/support/coveringPaths.ts';
import { pathsThrough, type Path } from '#tests/support/paths.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere, walkOn } from '#tests/support/pathsReplay.ts';
import { openScreen, type Drawn } from '#tests/support/screen.tsx';

// No styles hide elements here, and computing them takes most of the time.
configure({ defaultHidden: true });
const { style } = document.createElement('div');
Object.assign(document.defaultView ?? {}, { getComputedStyle: () => style });

/** Browser features that jsdom lacks: navigation, new tabs, file downloads. */
HTMLFormElement.prototype.submit = () => {};
HTMLAnchorElement.prototype.click = () => {};
vi.stubGlobal('open', () => null);
Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => {} });

/** Everything needed to render a journey. */
export const drawnAs = (id: JourneyId): Drawn => ({
  id,
  model: models[id],
  Step: steps[id].Step,
  screen: screenFor(id),
});

/**
 * The paths of these journeys to be run: every one, or as few as show each state of each journey and take each branch of
 * their charts, in one of the journeys that a chart makes.
 */
async function chosenOf(all: readonly Drawn[]): Promise<{ drawn: Drawn; path: Path }[]> {
  if (allPaths) return all.flatMap((drawn) => pathsThrough(drawn.model).map((path) => ({ drawn, path })));
  const walked = await Promise.all(
    all.map(async (drawn) =>
      (await walkedBy(drawn.model, pathsThrough(drawn.model))).map((each) => ({ drawn, ...each })),
    ),
  );
  return fewOf(walked.flat(), ({ drawn, walk }) => [
    ...walk.entered,
    ...[...walk.taken].map((name) => chartBranch(drawn.model.machine, name)),
  ]);
}

/** Runs paths of an area's journeys through the DOM, with a user's gestures. */
export async function testScreensOf(area: Area): Promise<void> {
  const all = journeysIn(area).map(drawnAs);
  const chosen = await chosenOf(all);
  for (const drawn of all)
    testScreen(
      drawn,
      chosen.flatMap((each) => (each.drawn === drawn ? each.path : [])),
    );
}

function testScreen(drawn: Drawn, shortest: readonly Path[]): void {
  const { id, model } = drawn;
  const walk = nowhere();
  describe(`${allPaths ? 'all' : 'a few'} paths through the screen of ${id}`, () => {
    it.each(shortest.map((path) => [path.name, path] as const))('%s', async (_, path) => {
      const stage = openScreen(drawn, path, walk);
      await expect(walkOn(stage, model, path, walk)).resolves.toBeUndefined();
    });

    // coverageReporter.ts reports after the run which transitions of a chart its journeys have taken.
    it(`show each state${allPaths ? ' and take each transition' : ''}`, (test) => {
      record(test, id, 'b', { shortest: shortest.length, walk });
      const missed = missedBy(model.machine, walk);
      expect(missed.filter((name) => allPaths || !name.includes(': '))).toEqual([]);
    });
  });
}
