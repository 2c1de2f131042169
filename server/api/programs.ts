import type { ProgramTokenShown } from '#contract/programShapes.ts';
import type { ProgramToken, ProgramTokens } from '#server/programs/tokens.ts';
import { connectionOf, noVerification, storedVerdict } from '#server/programs/verdicts.ts';
import { judgedLive } from '#server/programs/liveChecks.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { secretsOf } from '#server/upstream/config.ts';
import type { Handlers } from './handlers.ts';
import { programEnvironment } from './programEnvironment.ts';

/**
 * Makes the handlers for the tokens of a workspace's programs, for the checks of their calls and for the latest verification. A token is returned when
 * it is made and with the list, until the user has confirmed to have it or a program has used it.
 */
export function programHandlers(
  tokens: ProgramTokens,
  recordsOf?: (workspace: string) => Promise<RecordedApplication>,
  /** The data folder in which verifications are told of. Absent where users share the console: what its operator verifies is not theirs. */
  verified?: string,
) {
  const shown = (token: ProgramToken, now: number): ProgramTokenShown => ({
    ...token,
    expired: now >= Date.parse(token.expiresAt),
  });
  return {
    async getPrograms({ store, timeline, clock }) {
      const all = await tokens.list(store.workspace);
      return { data: { recorded: timeline.isKept, tokens: all.map((each) => shown(each, clock.now())).reverse() } };
    },
    getProgramEnvironment: async (context, { query }) => ({ data: await programEnvironment(context, query.reveal) }),
    async makeProgramToken({ store, clock }, { body: { name } }) {
      const { token, record } = await tokens.make(store.workspace, name);
      return { data: { token, made: shown(record, clock.now()) } };
    },
    async confirmProgramToken({ store }, { params: { tokenId } }) {
      await tokens.confirm(store.workspace, tokenId);
      return { data: null };
    },
    async revokeProgramToken({ store }, { params: { tokenId } }) {
      await tokens.revoke(store.workspace, tokenId);
      return { data: null };
    },
    getProgramChecks: async ({ store, config }) => ({
      data: recordsOf ? judgedLive(await recordsOf(store.workspace), secretsOf(config.upstream)) : [],
    }),
    getProgramVerdict: async ({ store }) => ({
      data: {
        connection: recordsOf ? connectionOf(await recordsOf(store.workspace)) : null,
        ...(verified === undefined ? noVerification : await storedVerdict(verified)),
      },
    }),
  } satisfies Partial<Handlers>;
}
