import type { Context } from 'koa';
import { programPath, programTokenHeader } from '#contract/programs.ts';
import { noteCall } from '#server/calls/callContext.ts';
import { Failure } from '#server/failure.ts';
import { hostCheck } from '#server/http/origin.ts';
import { checkSingleHeaders, ofConsole } from '#server/http/singleHeaders.ts';
import { networkOf } from '#server/http/networks.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import { header } from '#server/upstream/wire.ts';
import type { Rates } from '#server/http/rateLimits.ts';
import type { Timeline } from '#server/timeline/timeline.ts';
import { originForm, targetOf } from './address.ts';
import { readBody } from './body.ts';
import { createForwarder } from './forwardCall.ts';
import { recordProgram } from './record.ts';
import type { ProgramDeps } from './record.ts';
import type { KnownToken, ProgramTokens } from './tokens.ts';

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Maximum number of characters logged of the company that a call names. */
const longestCompany = 100;

/** Maximum number of concurrent calls with one token. */
const maximumConcurrent = 16;

interface Deps extends ProgramDeps {
  tokens: ProgramTokens;
  rates: Rates;
  /** Whether a token's owner may use the console; absent if nobody signs in. */
  ownerStateOf?: (workspace: string) => Promise<'confirmed' | 'over' | 'unknown'>;
  open: (workspace: string) => { timeline: Timeline; config: ProgramDeps['config'] };
}

/** Why the token of a call is refused, in words. */
const refusals = {
  missing: `The header ${programTokenHeader} is missing or not a token: make one on the console’s page for programs.`,
  unknown: `The token in the header ${programTokenHeader} is not known here: it was revoked, or never made.`,
  expired: `The token in the header ${programTokenHeader} has expired: make a new one on the console’s page for programs.`,
} as const;

/** Why a valid token is refused: its owner may not use the console, or that cannot be found out. */
const pausedToken = `The token in the header ${programTokenHeader} is paused: the sign-in service no longer confirms its owner, who has to sign in to the console again.`;
const unconfirmedToken = `The sign-in service cannot be asked whether the owner of the token in the header ${programTokenHeader} may continue: try again later.`;
/** In s. */
const unconfirmedDelay = 30;

/**
 * Answers all requests below the address for programs: forwards the calls of the user's own programs to the service
 * unchanged, and records them in the timeline of the token's workspace. Adds no credentials, so a token alone gives no
 * access to the service. Ignores cookies, and lets no page of another origin read an answer.
 */
export function programProxy({ tokens, rates, ownerStateOf, open, ...deps }: Deps): (ctx: Context) => Promise<void> {
  const { config } = deps;
  const requireOwnHost = hostCheck(config.allowedHosts);
  const forward = createForwarder(deps);
  const underWay = new Map<string, number>();

  const limited = (retryAfter: number, why: string) => {
    if (retryAfter > 0) throw new Failure('rate-limited', why, { retryAfter });
  };

  /** Throws a Failure with status 401 or 503 unless the token's owner may use the console. */
  async function assertOwner({ workspace }: KnownToken): Promise<void> {
    const ownerState = await ownerStateOf?.(workspace);
    if (ownerState === 'over') throw new Failure('forbidden', pausedToken, { status: 401 });
    if (ownerState === 'unknown')
      throw new Failure('forbidden', unconfirmedToken, { status: 503, retryAfter: unconfirmedDelay });
  }

  /** Returns the token of a call. Throws a Failure with status 401, 429 or 503. */
  async function knownOf(ctx: Context): Promise<KnownToken> {
    const found = await tokens.use(ctx.get(programTokenHeader));
    if (typeof found === 'object') {
      await assertOwner(found);
      return found;
    }
    const network = networkOf(ctx.ip);
    limited(rates.guesses.take(network), `Too many calls without a valid token came from ${network}.`);
    throw new Failure('forbidden', refusals[found], { status: 401 });
  }

  /**
   * Runs a call within the rate limit of its workspace and the concurrency limit of its token. Throws `rate-limited`.
   */
  async function counted({ workspace, token: { tokenId } }: KnownToken, run: () => Promise<void>): Promise<void> {
    limited(rates.programs.take(workspace), 'Too many calls came from your programs.');
    const now = underWay.get(tokenId) ?? 0;
    limited(now >= maximumConcurrent ? 1 : 0, `More than ${maximumConcurrent} calls with this token are under way.`);
    underWay.set(tokenId, now + 1);
    try {
      await run();
    } finally {
      const remaining = (underWay.get(tokenId) ?? 1) - 1;
      if (remaining > 0) underWay.set(tokenId, remaining);
      else underWay.delete(tokenId);
    }
  }

  async function handle(ctx: Context, { workspace, token }: KnownToken): Promise<void> {
    const { timeline, config } = open(workspace);
    const recording = recordProgram(ctx, { ...deps, config }, { workspace, token, timeline });
    noteCall({
      workspace,
      tokenId: token.tokenId,
      interactionId: recording.interactionId,
      company: () => ctx.get(header.company).slice(0, longestCompany),
    });
    try {
      if (!methods.includes(ctx.method)) {
        ctx.set('Allow', methods.join(', '));
        throw new Failure('invalid-request', `The service has no calls by ${ctx.method}.`, { status: 405 });
      }
      // The sandbox refuses the others itself, so that its records, by which programs are checked, have the call.
      checkSingleHeaders(ctx.req.rawHeaders, config.upstream.lab && ofConsole);
      const target = targetOf(originForm(ctx.req.url ?? '', ctx.host), config.upstream);
      noteCall({ name: operationOf(ctx.method, target.wirePath) ?? 'other' });
      recording.goes(target, await readBody(ctx.req));
      await forward(ctx, recording);
    } catch (error) {
      if (error instanceof Failure) recording.refused(error);
      throw error;
    }
  }

  return async (ctx) => {
    ctx['_matchedRoute'] = `${programPath}/*`; // paths may contain links to files
    await requireOwnHost(ctx);
    const known = await knownOf(ctx);
    await counted(known, () => handle(ctx, known));
  };
}
