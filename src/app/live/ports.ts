import type { Facts } from '#contract/facts.ts';
import { fulfil, port } from '#machines/port.ts';
import type { Values } from '#rules/field.ts';
import { call } from '../client.ts';

/** The port `loadFacts` of every journey that passes gates. */
export const loadFacts = fulfil(port<void, Facts>('loadFacts'), (_, signal) => call('getFacts', { signal }));

/** The named values of a form as a body has them, '' for what was not typed. */
export const texts = <Id extends string>(values: Values, ...ids: Id[]): Record<Id, string> =>
  Object.fromEntries(ids.map((id) => [id, values[id] ?? ''])) as Record<Id, string>; // made from exactly these ids
