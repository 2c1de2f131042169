import { stringify } from '#contract/json.ts';
import { counted } from '#rules/counted.ts';
import { createSessions } from '#server/auth/sessions.ts';
import { userRecordId, userRecords, workspaceOf } from '#server/auth/users.ts';
import type { UserRecord } from '#server/auth/users.ts';
import { iso, pause } from '#server/clock.ts';
import { programTokens } from '#server/programs/tokens.ts';
import type { ProgramToken } from '#server/programs/tokens.ts';
import type { Storage } from '#server/storage/open.ts';
import { exportOf } from './userExport.ts';
import { ofWorkspace } from '#server/storage/schema.ts';

/** Thrown for a user or token that there is not; the message is a sentence. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Time (ms) after which what a request under way has still written is deleted too, and how often that is tried. */
const [settling, attempts] = [1500, 10];

interface Needs {
  storage: Storage;
  /** Of the configuration; absent without sign-in. */
  issuer: string | undefined;
}

/** A user as operators see one; without `user` if nobody has signed in since names are stored. */
export interface ListedUser {
  workspace: string;
  user?: UserRecord;
  sessions: number;
  tokens: number;
}

/** What an operator can do about users. Each function rejects with UserError for a user that there is not. */
export function createUsers({ storage, issuer }: Needs) {
  const sessions = createSessions(storage, storage.clock).kept;
  const recordOf = (workspace: string) =>
    storage.records(userRecords, { workspace, companyKey: ofWorkspace }).get(userRecordId);
  const tokensIn = (workspace: string) => storage.records(programTokens, { workspace, companyKey: ofWorkspace });

  async function listed(workspace: string): Promise<ListedUser> {
    const user = await recordOf(workspace);
    const tokens = await tokensIn(workspace).count();
    return { workspace, ...(user && { user }), sessions: (await sessions.of(workspace)).length, tokens };
  }

  /** Returns the workspace of a user, who is named by it or by the id at the provider. */
  async function find(given: string): Promise<string> {
    const all = await storage.workspaces.list();
    if (all.includes(given)) return given;
    const byId = issuer === undefined ? '' : workspaceOf(issuer, given);
    if (all.includes(byId)) return byId;
    const owned = await Promise.all(all.map(async (workspace) => ({ workspace, user: await recordOf(workspace) })));
    const [one, ...others] = owned.filter(({ user }) => user?.subject === given);
    if (!one)
      throw new UserError(
        `${JSON.stringify(given)} is no user: give a workspace of the list, or the user's id at the provider (sub).`,
      );
    if (others.length > 0)
      throw new UserError(
        `${JSON.stringify(given)} is a user of several providers: give the workspace, ${[one, ...others].map(({ workspace }) => workspace).join(' or ')}.`,
      );
    return one.workspace;
  }

  async function endSessions(workspace: string): Promise<number> {
    const all = await sessions.of(workspace);
    for (const { key } of all) await sessions.end(key);
    return all.length;
  }

  return {
    async list(): Promise<ListedUser[]> {
      const all: ListedUser[] = [];
      for (const workspace of await storage.workspaces.list()) all.push(await listed(workspace));
      return all;
    },
    async show(given: string) {
      const workspace = await find(given);
      return {
        ...(await listed(workspace)),
        rows: await storage.workspaces.count(workspace),
        undecided: (await storage.workspaces.undecided(workspace)).length,
      };
    },
    /** The tokens of one user, or of all. */
    async tokens(given?: string): Promise<{ workspace: string; token: ProgramToken }[]> {
      const workspaces = given === undefined ? await storage.workspaces.list() : [await find(given)];
      const all = await Promise.all(
        workspaces.map(async (workspace) =>
          (await tokensIn(workspace).list()).map(({ token }) => ({ workspace, token })),
        ),
      );
      return all.flat();
    },
    async revoke(tokenId: string): Promise<void> {
      for (const workspace of await storage.workspaces.list()) {
        const found = (await tokensIn(workspace).list()).find(({ token }) => token.tokenId === tokenId);
        if (found && (await tokensIn(workspace).remove(found.key))) return;
      }
      throw new UserError(`${JSON.stringify(tokenId)} is no token: give an id of the list of tokens.`);
    },
    /** Returns how many sessions have ended. */
    signOut: async (given: string): Promise<number> => endSessions(await find(given)),
    async export(given: string): Promise<string> {
      const workspace = await find(given);
      const user = await recordOf(workspace);
      const all = await exportOf(storage, workspace, await sessions.of(workspace));
      return `${stringify({ workspace, ...(user && { user }), exportedAt: iso(storage.clock.now()), ...all }, 2)}\n`;
    },
    /** Ends the sessions, and deletes the tokens and the data. Returns how much was deleted. */
    async remove(given: string): Promise<string> {
      const workspace = await find(given);
      let [ended, rows] = [0, 0];
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if (attempt > 0) await pause(storage.clock, settling);
        ended += await endSessions(workspace);
        const removed = await storage.workspaces.remove(workspace);
        rows += removed;
        if (attempt > 0 && removed === 0) return `${counted(ended, 'session')} ended, ${counted(rows, 'row')} deleted.`;
      }
      throw new UserError(
        `${workspace} still writes: remove the user at the provider or from OIDC_ALLOWED, and run this again.`,
      );
    },
  };
}

export type Users = ReturnType<typeof createUsers>;
