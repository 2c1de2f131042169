import { providersMachine } from '#machines/lookup.machine.ts';
import { call } from '../client.ts';
import { look } from './look.ts';

export const machine = providersMachine.provide(
  look(async (query, signal) => (await call('getProviders', { query, signal })).data),
);
