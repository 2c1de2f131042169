import { call } from '../client/client.ts';

/** Reads the facts. Rejects with a Problem. */
export const loadFacts = () => call('getFacts', {});
