import { provideEffects } from '#machines/lib/effect.ts';
import { signingOutMachine } from '#machines/signingOut.machine.ts';
import { call } from '../api/client.ts';
import { dropDrafts } from '../api/drafts.ts';

/** Ends the session and leaves the page. The next user of this tab must not see this user's input. */
export const signingOut = provideEffects(signingOutMachine, {
  signOut: async () => {
    const { location } = await call('signOut', {});
    dropDrafts();
    window.location.assign(location);
  },
});
