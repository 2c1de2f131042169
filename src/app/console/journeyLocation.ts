import type { JourneyLocation } from '#machines/console.ts';
import { journeyAt, journeyOf } from '#machines/journeys.ts';

/**
 * The opening that an address describes: journey, guided or not, page to return to, whether to create another record, the
 * record that it is about; null if the address is not a journey's.
 */
export function locationAt(path: string, search: string): JourneyLocation | null {
  const journey = journeyAt(path);
  if (!journey) return null;
  const query = new URLSearchParams(search);
  const then = query.get('then') ?? '';
  const [back = ''] = then.split('?');
  const about = query.get(journeyOf(journey).about ?? '');
  return {
    journey,
    guided: query.get('guided') === 'true',
    back: journeyAt(back) ? (then as `/${string}`) : null, // a journey's path starts with a slash
    ...(query.get('another') === 'true' && { another: true as const }),
    ...(about !== null && { about }),
    query: search,
  };
}
