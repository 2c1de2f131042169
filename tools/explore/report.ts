import { properties } from './properties.ts';
import type { Tally } from './trace.ts';

const listed = (counts: Iterable<[string, number]>): string =>
  [...counts].map(([what, times]) => `${times} ${what}`).join(', ') || 'none';

/** What a run has seen, in lines: the sums, each property, and of a broken one what led to it. */
export function report(tally: Tally, faults: ReadonlyMap<string, number>, minutes: number): string[] {
  const { pages, states, seen, gates } = tally.sums();
  const broken = new Map(tally.broken().map((each) => [each.property, each]));
  return [
    `${tally.actions()} actions in ${minutes.toFixed(1)} min: ${pages.size} pages, ${states} states`,
    ...(tally.ends('still') > 0 ? [`Bombadil stood still ${tally.ends('still')} times, and was ended`] : []),
    ...(tally.ends('elsewhere') > 0 ? ['What was repeated came elsewhere: times and ids are others'] : []),
    `Seen: ${listed(seen)}`,
    `Gates: ${listed(gates)}`,
    `Faults that were set: ${listed(faults)}`,
    ...properties.flatMap((property) => {
      const each = broken.get(property);
      if (!each) return [`held    ${property}`];
      return [
        `BROKEN  ${property}, after ${each.first} actions`,
        ...each.said.split('\n').map((line) => `        ${line}`),
        ...each.last.map((line) => `          ${line}`),
        `        Repeat it: npm run explore -- --replay ${each.folder}`,
      ];
    }),
  ];
}
