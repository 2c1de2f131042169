import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { mostProgramTokens, programTokenLife } from '#contract/programs.ts';
import { iso } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import type { Storage } from '#server/storage/open.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { ofWorkspace } from '#server/storage/schema.ts';

/** A token as it is stored, under its hash. Times are ISO. */
export interface ProgramToken {
  tokenId: string;
  /** The user's name for the program. */
  name: string;
  /** The beginning of the token, by which its owner recognises it. */
  beginning: string;
  madeAt: string;
  expiresAt: string;
  /** '' before the first call; precise to `lastUseResolution`. */
  usedAt: string;
  /** The complete token, encrypted in the store: until the user has confirmed to have it or a program has used it. */
  token?: string;
}

/** Tokens, each under its hash. */
export const programTokens: RecordKind<{ key: string; token: ProgramToken }> = {
  kind: 'programTokens',
  isOfWorkspace: true,
};

/** A valid token and its workspace. */
export interface KnownToken {
  workspace: string;
  token: ProgramToken;
}

const prefix = 'pocp_';
const shape = new RegExp(`^${prefix}[\\w-]{43}$`);
/** Number of stored characters of a token: the prefix and four of its 43 random ones. */
const shownPrefix = prefix.length + 4;
/** Precision (ms) of the time of last use, so that not every call causes a write. */
const lastUseResolution = 10_000;

const revoked = () => new Failure('not-found', 'There is no such token any more: it was revoked.');

const withoutToken = ({ token: _token, ...record }: ProgramToken): ProgramToken => record;

const keyOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * The tokens with which programs call through the console. Once its user has it, only the hash of a token is stored.
 * Updating the time of last use never creates a record, so that a concurrent call cannot restore a revoked token.
 */
export function createProgramTokens({ storage, clock, newId, log }: Deps) {
  const recordsOf = (workspace: string) => storage.records(programTokens, { workspace, companyKey: ofWorkspace });
  const isOver = ({ expiresAt }: ProgramToken) => clock.now() >= Date.parse(expiresAt);

  /** Returns the workspace's tokens, oldest first. */
  async function all(workspace: string): Promise<ProgramToken[]> {
    return (await recordsOf(workspace).list()).map(({ token }) => token);
  }

  /** Returns a token's record. Throws `not-found` if there is none. */
  async function keptAs(workspace: string, tokenId: string) {
    const stored = (await recordsOf(workspace).list()).find(({ token }) => token.tokenId === tokenId);
    if (!stored) throw revoked();
    return stored;
  }

  /** Whether the stored time of last use is too old to be left as it is. */
  const isUseNew = ({ usedAt }: ProgramToken): boolean =>
    Math.abs(clock.now() - Date.parse(usedAt || iso(0))) >= lastUseResolution;

  const noteUse = (workspace: string, key: string): Promise<unknown> =>
    recordsOf(workspace).change(key, (kept) =>
      isUseNew(kept.token) ? { ...kept, token: { ...withoutToken(kept.token), usedAt: iso(clock.now()) } } : undefined,
    );

  return {
    list: all,
    /**
     * Makes a token; returns it with its record, which does not contain it. Throws `forbidden` if there are too many.
     */
    make: (workspace: string, name: string): Promise<{ token: string; record: ProgramToken }> =>
      storage.transaction(workspace, async () => {
        const kept = await recordsOf(workspace).list();
        const over = kept.filter(({ token }) => isOver(token));
        if (kept.length - over.length >= mostProgramTokens)
          throw new Failure(
            'forbidden',
            `There are ${mostProgramTokens} tokens already: revoke one that no program uses any more.`,
          );
        await recordsOf(workspace).removeAll(over.map(({ key }) => key));
        const token = prefix + randomBytes(32).toString('base64url');
        const now = clock.now();
        const record: ProgramToken = {
          tokenId: newId(),
          name,
          beginning: token.slice(0, shownPrefix),
          madeAt: iso(now),
          expiresAt: iso(now + programTokenLife),
          usedAt: '',
        };
        const key = keyOf(token);
        await recordsOf(workspace).put(key, { key, token: { ...record, token } });
        return { token, record };
      }),
    /** Notes that the user has the token, which is then forgotten. Throws `not-found` if there is none. */
    confirm: (workspace: string, tokenId: string): Promise<void> =>
      storage.transaction(workspace, async () => {
        const { key } = await keptAs(workspace, tokenId);
        await recordsOf(workspace).change(key, (kept) => ({ ...kept, token: withoutToken(kept.token) }));
      }),
    /** Throws `not-found` if the workspace has no such token. */
    revoke: (workspace: string, tokenId: string): Promise<void> =>
      storage.transaction(workspace, async () => {
        const { key } = await keptAs(workspace, tokenId);
        if (!(await recordsOf(workspace).remove(key))) throw revoked();
      }),
    /**
     * Looks up the token that a program sends, and notes its use. Returns 'missing' without a look-up if the text does
     * not have the form of a token.
     */
    async use(given: string): Promise<KnownToken | 'missing' | 'unknown' | 'expired'> {
      if (!shape.test(given)) return 'missing';
      const key = keyOf(given);
      const [found] = await storage.collection(programTokens).anywhere(key);
      if (!found) return 'unknown';
      const { workspace, value: kept } = found;
      if (isOver(kept.token)) return 'expired';
      if (isUseNew(kept.token))
        await noteUse(workspace, key).catch((error: unknown) =>
          log.warn({ err: error }, 'the last use of a token could not be kept'),
        );
      return { workspace, token: withoutToken(kept.token) };
    },
  };
}

interface Deps {
  storage: Pick<Storage, 'records' | 'collection' | 'transaction'>;
  clock: Pick<Clock, 'now'>;
  newId: () => string;
  log: Logger;
}

export type ProgramTokens = ReturnType<typeof createProgramTokens>;
