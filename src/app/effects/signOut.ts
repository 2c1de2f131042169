import { call } from '../api/client.ts';
import { dropDrafts } from '../api/drafts.ts';
import { resource } from './resource.ts';

/** The user's session. Its end leaves the page; the next user of this tab must not see this user's input. */
export const signingOut = resource({
  kind: {},
  async act(_: { act: 'signOut' }): Promise<null> {
    const { location } = await call('signOut', {});
    dropDrafts();
    window.location.assign(location);
    return new Promise(() => {}); // the page is left
  },
});
