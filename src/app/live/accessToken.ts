import { accessTokenMachine } from '#machines/accessToken.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { loadFactsOf } from './ports.ts';

/** The company access token; the server masks it unless `reveal` is asked for (behaviour, section 10.8). */
export const machine = accessTokenMachine.provide({
  actors: {
    loadFacts: loadFactsOf('accessToken'),
    obtainToken: fulfil(port('obtainToken'), async ({ reveal }, signal) => {
      const { data } = await call('getToken', { query: { reveal: reveal ? 'true' : 'false' }, signal });
      return data;
    }),
  },
});
