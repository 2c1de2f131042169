import { pruneUndatedSessions } from '#server/auth/sessions.ts';
import { userRecords } from '#server/auth/users.ts';
import type { Storage } from '#server/storage/open.ts';
import { pruneReceivedWebhooks, receivedWebhooks } from '#server/webhooks/receive.ts';
import { latestMessages, messages, partyLists, webhooks } from '#server/messages/records.ts';
import { shownSigningKeys } from '#server/companies/signingKey.ts';
import { evidenceRecords } from '#server/timeline/evidence.ts';
import { programTokens } from '#server/programs/tokens.ts';
import { counts } from '#server/webhooks/inbox.ts';
import * as ofCompanies from '#server/companies/records.ts';
import { loginRecords } from '#server/companies/userLogins.ts';

/** The records of all areas. */
const recordKinds = [
  ...Object.values(ofCompanies),
  messages,
  latestMessages,
  partyLists,
  webhooks,
  counts,
  receivedWebhooks,
  shownSigningKeys,
  loginRecords,
  programTokens,
  evidenceRecords,
  userRecords,
];

/**
 * Removes what is over, at the start: the ids of webhooks that the service no longer repeats, and sessions of unknown age.
 * Keys of writes are kept for ever: without its key, a repeated write would be sent as a new request. Then looks for unreadable records, which may take minutes:
 * `swept` has ended when that has, and `endSweep` ends it early.
 */
export async function startUp(
  storage: Storage,
  onError: (error: unknown) => void,
): Promise<{ swept: Promise<void>; endSweep: () => Promise<void> }> {
  const { clock } = storage;
  await pruneReceivedWebhooks(storage);
  await pruneUndatedSessions(storage, clock);
  const ending = new AbortController();
  const swept = storage.sweep(recordKinds, ending.signal).catch(onError);
  return {
    swept,
    endSweep() {
      ending.abort();
      return swept;
    },
  };
}
