import { parse, stringify } from '#contract/json.ts';
import { visibleId } from '#server/http/visible.ts';
import type { Engine } from './engine.ts';
import type { Seal } from './seal.ts';

/** `claimedAt` in ms. */
type Claim =
  | { state: 'fresh' | 'unreadable' }
  | { state: 'conflict'; before: string }
  | { state: 'open'; claimedAt: number }
  | { state: 'held' }
  | { state: 'done'; answer: unknown };

const digestOf = (fingerprint: string): string => fingerprint.split(' ', 1).join();

/** Claims of keys for operations that must run only once across all servers. */
export interface Claims {
  /**
   * Claims a key. Returns `fresh` to exactly one caller. Later callers get `open` until the claim is finished or
   * released, `held` while another live server works on it, and `done` with the first answer after it is finished;
   * `conflict` if the key was claimed with another fingerprint, `before`; `unreadable` if the stored claim was tampered
   * with. Only the part of a fingerprint before its first space is compared.
   */
  claim(key: string, fingerprint: string): Promise<Claim>;
  /** Whether a key is claimed, in any state. */
  exists(key: string): Promise<boolean>;
  finish(key: string, answer: unknown): Promise<void>;
  /** Keeps a claim open but gives up working on it, so that another server may take it over. */
  leave(key: string): Promise<void>;
  release(key: string): Promise<void>;
}

export function claimsIn({ claims }: Pick<Engine, 'claims'>, workspace: string, seal: Seal): Claims {
  const idOf = (key: string): string => visibleId(`${workspace}/${key}`);
  // The fingerprint is encrypted too, because a body could be guessed from it.
  const placeOf = (column: 'fingerprint' | 'answer', key: string): string => `claims/${column}/${idOf(key)}`;

  return {
    async claim(key, fingerprint) {
      const row = await claims.claim(idOf(key), seal.seal(fingerprint, placeOf('fingerprint', key)));
      if (row === undefined) return { state: 'fresh' };
      try {
        const before = seal.open(row.fingerprint, placeOf('fingerprint', key));
        if (digestOf(before) !== digestOf(fingerprint)) return { state: 'conflict', before };
        if (row.answer !== null) return { state: 'done', answer: parse(seal.open(row.answer, placeOf('answer', key))) };
      } catch {
        return { state: 'unreadable' };
      }
      const isOurs = !row.isHeld && (await claims.takeOver(idOf(key)));
      return isOurs ? { state: 'open', claimedAt: row.claimedAt } : { state: 'held' };
    },
    exists: (key) => claims.exists(idOf(key)),
    finish: (key, answer) => claims.finish(idOf(key), seal.seal(stringify(answer), placeOf('answer', key))),
    release: (key) => claims.release(idOf(key)),
    leave: (key) => claims.leave(idOf(key)),
  };
}
