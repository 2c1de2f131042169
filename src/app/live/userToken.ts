import { addressOf } from '#machines/journeys.ts';
import { fulfil, port } from '#machines/port.ts';
import { userTokenMachine } from '#machines/userToken.machine.ts';
import { call } from '../client.ts';
import { loadFactsOf } from './ports.ts';

/** This page's own address as it was opened, without the outcome of an earlier login. */
function returnTo(): string {
  const opening = new URLSearchParams(location.search);
  return addressOf('userToken', { guided: opening.get('guided') === 'true', then: opening.get('then') ?? '' });
}

/** How the login ended, from the address that the server sends the browser back to. */
export const input = (query: URLSearchParams) => ({ outcome: query.get('outcome') ?? '' });

/**
 * The network login: the server keeps the state and says where the GET form goes (behaviour, section 7). The page that the
 * browser comes back to takes its way from `login.returnTo` (public/jwtredirect.js).
 */
export const machine = userTokenMachine.provide({
  actors: {
    loadFacts: loadFactsOf('userToken'),
    startLogin: fulfil(port('startLogin'), (_, signal) => {
      sessionStorage.setItem('login.returnTo', returnTo());
      return call('startLogin', { signal });
    }),
  },
});
