import { describe, expect, it } from 'vitest';
import { pagesBesideMenu } from '#app/frame/pages.ts';
import { pagesIn, stepsOf } from '#app/frame/palette/paletteEntries.ts';
import { foundIn, rankOf } from '#app/frame/palette/searchRank.ts';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';

const entries = [...pagesIn('sandbox'), ...stepsOf(null)];

/** The titles of the entries by rank, best first, as the palette lists them. */
const found = (search: string) => foundIn(entries, search).map(({ title }) => title);

const first = (search: string) => found(search)[0];

describe('the search of the palette', () => {
  it.each(entries)('finds a page by each beginning of its title: $title (behaviour 10.10.2)', ({ title }) => {
    for (let length = 3; length <= Math.min(title.length, 12); length += 1)
      expect(found(title.slice(0, length))).toContain(title);
  });

  it.each([
    ['timel', 'Timeline'],
    ['tiemline', 'Timeline'],
    ['timline', 'Timeline'],
    ['timelime', 'Timeline'],
    ['tmln', 'Timeline'],
    ['fautl', 'Fault lab'],
    ['fualt lab', 'Fault lab'],
    ['conect', 'Your app'],
    ['scirpts', 'Scripts'],
    ['verify', 'Your app'],
    ['charts', 'Map of the journeys'],
    ['electornic', 'Electronic Payments'],
    ['translatoin', 'Translations'],
    ['additonal data', 'Additional Data'],
  ])('finds "%s" although it is incomplete or misspelt: %s', (search, title) => {
    expect(first(search)).toMatch(new RegExp(`^${title}`));
  });

  it.each(['zzz', 'xqj', 'payroll taxes', '????'])('finds nothing for "%s"', (search) => {
    expect(found(search)).toEqual([]);
  });

  it('ranks a misspelt word below an exact part, and above scattered letters', () => {
    const rank = (text: string, search: string) => rankOf(text, search);
    expect([rank('Timeline', 'timel'), rank('Overtime', 'time'), rank('Timeline', 'tmieline'), rank('Timeline', 'tml')]).toEqual([1, 0.5, 0.3, 0.1]); // prettier-ignore
  });
});

it('every journey is in the menu or among the pages beside it', () => {
  const beside = pagesBesideMenu.map(({ path }) => path);
  for (const id of journeyOrder) {
    const { path, group } = journeyOf(id);
    expect(beside.includes(path)).toBe(group === undefined);
  }
  expect(beside).toContain('/additionaldata');
});
