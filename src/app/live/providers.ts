import { providersMachine } from '#machines/lookup.machine.ts';
import { call } from '../client.ts';
import { localeOf, questionIn } from './definitions.ts';
import { look } from './look.ts';

/** The country and language in the address. */
export const input = questionIn('country', 'language');

export const machine = providersMachine.provide(
  look(async (question, signal) => {
    const query = await localeOf(question, 'providerCountry', signal);
    return { ...query, found: (await call('getProviders', { query, signal })).data };
  }),
);
