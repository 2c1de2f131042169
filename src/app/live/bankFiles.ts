import { bankFilesMachine } from '#machines/lookup.machine.ts';
import { call } from '../client.ts';
import { look } from './look.ts';

export const machine = bankFilesMachine.provide(
  look(async (query, signal) => (await call('getFileFormats', { query, signal })).data),
);
