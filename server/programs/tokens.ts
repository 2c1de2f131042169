import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { mostProgramTokens, programTokenLife } from '#contract/programs.ts';
import { iso } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import type { Stores } from '#server/store/store.ts';

/** A token as it is stored, under the hash of it: nothing here is enough to call with. Times are ISO. */
export interface ProgramToken {
  tokenId: string;
  /** The user's name for the program. */
  name: string;
  /** The beginning of the token, by which its owner recognises it. */
  beginning: string;
  madeAt: string;
  expiresAt: string;
  /** '' before the first call; exact to `grain`. */
  usedAt: string;
}

/** A known token and the workspace that it belongs to. */
export interface Known {
  workspace: string;
  token: ProgramToken;
}

const prefix = 'pocp_';
const shape = new RegExp(`^${prefix}[\\w-]{43}$`);
/** Characters of a token that are stored: of its 43 random ones four. */
const shown = prefix.length + 4;
/** Precision (ms) of the time of last use, so that not every call causes a write. */
const grain = 10_000;

const keyOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * The tokens with which programs call through the console. Only the hash of a token is stored. The time of last use is
 * changed only in a token that is there, so that a call under way cannot bring a revoked one back.
 */
export function createProgramTokens({ stores, clock, newId, log }: Deps) {
  const recordsOf = (workspace: string) => stores.of(workspace).programs;
  const isOver = ({ expiresAt }: ProgramToken) => clock.now() >= Date.parse(expiresAt);

  /** The workspace's tokens with their keys, oldest first. */
  async function all(workspace: string): Promise<ProgramToken[]> {
    return (await recordsOf(workspace).list()).map(({ token }) => token);
  }

  const noteUse = (workspace: string, key: string): Promise<void> =>
    recordsOf(workspace).change(key, (kept) => {
      const now = clock.now();
      if (Math.abs(now - Date.parse(kept.token.usedAt || iso(0))) < grain) return undefined;
      return { ...kept, token: { ...kept.token, usedAt: iso(now) } };
    });

  return {
    list: all,
    /** Makes a token and returns it with its record; it is told only here. Throws `forbidden` if there are too many. */
    make: (workspace: string, name: string): Promise<{ token: string; record: ProgramToken }> =>
      stores.of(workspace).inTurn('programs', async () => {
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
          ...{ tokenId: newId(), name, beginning: token.slice(0, shown) },
          ...{ madeAt: iso(now), expiresAt: iso(now + programTokenLife), usedAt: '' },
        };
        const key = keyOf(token);
        await recordsOf(workspace).put(key, { key, token: record });
        return { token, record };
      }),
    /** Throws `not-found` if the workspace has no such token. */
    revoke: (workspace: string, tokenId: string): Promise<void> =>
      stores.of(workspace).inTurn('programs', async () => {
        const kept = (await recordsOf(workspace).list()).find(({ token }) => token.tokenId === tokenId);
        if (!kept || !(await recordsOf(workspace).remove(kept.key)))
          throw new Failure('not-found', 'There is no such token any more: it is revoked.');
      }),
    /**
     * The token that a program gives, and that it is used now. 'missing' for what is no token at all, which is not looked
     * for in the store.
     */
    async use(given: string): Promise<Known | 'missing' | 'unknown' | 'expired'> {
      if (!shape.test(given)) return 'missing';
      const key = keyOf(given);
      const [place] = await stores.ownersOf('programs', key);
      const kept = place && (await recordsOf(place.workspace).get(key));
      if (!kept) return 'unknown';
      if (isOver(kept.token)) return 'expired';
      const { workspace } = place;
      await noteUse(workspace, key).catch((error: unknown) =>
        log.warn({ err: error }, 'the last use of a token could not be kept'),
      );
      return { workspace, token: kept.token };
    },
  };
}

interface Deps {
  stores: Pick<Stores, 'of' | 'ownersOf'>;
  clock: Pick<Clock, 'now'>;
  newId: () => string;
  log: Logger;
}

export type ProgramTokens = ReturnType<typeof createProgramTokens>;
