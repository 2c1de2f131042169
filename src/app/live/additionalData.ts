import { additionalDataMachine } from '#machines/additionalData.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { withLanguage } from './subscriptionPorts.ts';

/** The rule playground, with the providers of the chosen country and language. */
export const machine = additionalDataMachine.provide({
  actors: {
    loadProviders: fulfil(port('loadProviders'), async (_, signal) => {
      const [{ acceptLanguage }, { data }] = await Promise.all([
        call('getSettings', { signal }),
        call('getProviders', { signal }),
      ]);
      return data.map((provider) => withLanguage(provider, acceptLanguage));
    }),
  },
});
