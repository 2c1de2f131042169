import { call } from '../client/client.ts';

/** Reads the facts. Rejects with a Problem. Apart from the other effects, which read the storage as they are loaded. */
export const loadFacts = () => call('getFacts', {});
