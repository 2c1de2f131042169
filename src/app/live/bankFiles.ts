import { bankFilesMachine } from '#machines/lookup.machine.ts';
import { call } from '../client.ts';
import { localeOf, questionIn } from './definitions.ts';
import { look } from './look.ts';

/** The country and language in the address. */
export const input = questionIn('country', 'language');

export const machine = bankFilesMachine.provide(
  look(async (question, signal) => {
    const query = await localeOf(question, 'fileFormatCountry', signal);
    return { ...query, found: (await call('getFileFormats', { query, signal })).data };
  }),
);
