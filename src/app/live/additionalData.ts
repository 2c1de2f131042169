import { additionalDataMachine } from '#machines/additionalData.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';

/** The rule playground, with the providers of the chosen country and language. */
export const machine = additionalDataMachine.provide({
  actors: {
    loadProviders: fulfil(port('loadProviders'), async (_, signal) => (await call('getProviders', { signal })).data),
  },
});
