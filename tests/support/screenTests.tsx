import { configure } from '@testing-library/react';
import { expect, describe, it, vi } from 'vitest';
import { pages } from '#app/pages.ts';
import { journeysIn, type Area, type JourneyId } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { screenFor } from '#tests/steps/screens.ts';
import { allPaths, record, simpleLengths } from './coverage.ts';
import { allOf, fewOf, walkedBy } from './few.ts';
import { pathsThrough, simplePathsThrough } from './paths.ts';
import { missedBy } from './pathsFaults.ts';
import { nowhere, walkOn } from './pathsReplay.ts';
import { openScreen, type Drawn } from './screen.tsx';

// No styles hide elements here, and computing them takes most of the time.
configure({ defaultHidden: true });
const { style } = document.createElement('div');
Object.assign(document.defaultView ?? {}, { getComputedStyle: () => style });

/** Browser features that jsdom lacks: navigation, new tabs, file downloads. */
HTMLFormElement.prototype.submit = () => {};
HTMLAnchorElement.prototype.click = () => {};
vi.stubGlobal('open', () => null);
Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => {} });

/** Loads everything needed to render a journey. */
export const drawnAs = async (id: JourneyId): Promise<Drawn> => ({
  id,
  model: models[id],
  Step: (await pages[id].step()).default,
  screen: screenFor(id),
});

/**
 * Runs paths of an area's journeys through the DOM, with a user's gestures: every one, or as few as show each state and
 * take each branch.
 */
export async function testScreensOf(area: Area): Promise<void> {
  for (const drawn of await Promise.all(journeysIn(area).map(drawnAs))) await testScreen(drawn);
}

async function testScreen(drawn: Drawn): Promise<void> {
  const { id, model } = drawn;
  const every = pathsThrough(model);
  const shortest = allPaths ? every : fewOf(await walkedBy(model, every), allOf).map(({ path }) => path);
  const simple = simpleLengths.b > 0 ? simplePathsThrough(model, simpleLengths.b) : [];
  const walk = nowhere();
  describe(`${allPaths ? 'every path' : 'a few paths'} on the screen of ${id}`, () => {
    it.each([...shortest, ...simple].map((path) => [path.name, path] as const))('%s', async (_, path) => {
      const stage = openScreen(drawn, path, walk);
      await expect(walkOn(stage, model, path, walk)).resolves.toBeUndefined();
    });

    it('has shown each state and taken each branch', (test) => {
      record(test, id, 'b', { shortest: shortest.length, simple: simple.length, walk });
      expect(missedBy(model.machine, walk, model.never)).toEqual([]);
    });
  });
}
