import type { ProgramTokenShown } from '#contract/programShapes.ts';
import type { ProgramToken, ProgramTokens } from '#server/programs/tokens.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { judgedLive } from '#server/programs/liveChecks.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { secretsOf } from '#server/upstream/config.ts';
import type { Handlers } from './handlers.ts';

/**
 * Handlers for the tokens of the workspace's programs, and for the checks of their calls. A token is returned when it is
 * made and with the list, until the user has confirmed to have it or a program has used it.
 */
export function programRoutes(
  { clock, timeline, config }: CompanyContext,
  workspace: string,
  tokens: ProgramTokens,
  recordsOf?: (workspace: string) => Promise<RecordedApplication>,
) {
  const shown = (token: ProgramToken): ProgramTokenShown => ({
    ...token,
    expired: clock.now() >= Date.parse(token.expiresAt),
  });
  return {
    getPrograms: async () => ({
      data: { recorded: timeline.isKept, tokens: (await tokens.list(workspace)).map(shown).reverse() },
    }),
    async makeProgramToken({ body: { name } }) {
      const { token, record } = await tokens.make(workspace, name);
      return { data: { token, made: shown(record) } };
    },
    async confirmProgramToken({ params: { tokenId } }) {
      await tokens.confirm(workspace, tokenId);
      return { data: null };
    },
    async revokeProgramToken({ params: { tokenId } }) {
      await tokens.revoke(workspace, tokenId);
      return { data: null };
    },
    getProgramChecks: async () => ({
      data: recordsOf ? judgedLive(await recordsOf(workspace), secretsOf(config.upstream)) : [],
    }),
  } satisfies Partial<Handlers>;
}
