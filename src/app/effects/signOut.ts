import { call } from '../client/client.ts';
import { dropDrafts } from '../client/drafts.ts';
import { resource } from './resource.ts';

/** Ends the user's session, and leaves the page; the next user of this tab must not see this user's input. */
export async function signOut(): Promise<never> {
  const { location } = await call('signOut', {});
  dropDrafts();
  window.location.assign(location);
  return new Promise(() => {}); // the page is left
}

export const signingOut = resource({ kind: {}, act: (_: { act: 'signOut' }): Promise<null> => signOut() });
