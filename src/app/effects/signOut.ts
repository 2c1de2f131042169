import { call } from '../api/client.ts';
import { dropDrafts } from '../api/drafts.ts';

/** Ends the session; returns the address to leave the page for. The next user of this tab must not see this user's input. */
export async function signOut(): Promise<string> {
  const { location } = await call('signOut', {});
  dropDrafts();
  return location;
}
