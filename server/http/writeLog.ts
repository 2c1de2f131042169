import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Outcome } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { attemptOf, outcomeOf } from '#server/calls/writeOutcome.ts';
import { idsOf } from './identifyRequests.ts';
import { isSafeMethod } from './page.ts';
import { maybeUserOf } from './user.ts';

/** What is known of a write when it has been answered. */
interface Write {
  /** The name of the call, or of the service's operation. */
  call: string;
  workspace: string;
  /** The company's id, '' if there is none; read once the write has ended. */
  company: () => Promise<string> | string;
  /** The id sent with each request to the service. */
  interactionId: () => string;
  /** Of a program: the id of its token. */
  tokenId?: string;
  /** Overrides what the status says: the caller has left. */
  hasLeft?: boolean;
}

/** Calls that change nothing, although their method is one of writes. */
const reading: readonly string[] = ['checkWebhook'];

/** Notes what a request writes, for its line in the log. */
export function noteWrite(ctx: Context, write: Partial<Write>): void {
  ctx.state['write'] = { ...(ctx.state['write'] as Partial<Write> | undefined), ...write }; // set here alone
}

/** Returns how a write has ended, as its caller was told. */
function endOf(ctx: Context, { hasLeft = false }: Partial<Write>): { outcome: Outcome | 'replayed'; code?: string } {
  if (ctx.status < 400 && !hasLeft)
    return { outcome: ctx.response.get('Idempotent-Replay') === 'true' ? 'replayed' : 'done' };
  const { outcome, code } = (ctx.body ?? {}) as Partial<Problem>; // of problems.ts, or none
  return { outcome: outcome ?? outcomeOf(attemptOf(ctx)), ...(code !== undefined && { code }) };
}

/**
 * Logs one line for each write of a user or a program, whether it was done or not. `subjectOf` returns the provider's id
 * of a workspace's user; absent if nobody signs in.
 */
export function writeLog(
  log: Logger,
  subjectOf: (workspace: string) => Promise<string> = () => Promise.resolve(''),
): Middleware {
  async function line(ctx: Context, write: Partial<Write>): Promise<void> {
    const workspace = write.workspace ?? maybeUserOf(ctx)?.workspace;
    if (workspace === undefined) return; // nobody has said who they are
    const ids = idsOf(ctx);
    log.info(
      {
        subject: await subjectOf(workspace).catch(() => ''),
        workspace,
        company: await Promise.resolve(write.company?.()).catch(() => ''),
        call: write.call ?? '',
        route: ctx['_matchedRoute'] as unknown,
        method: ctx.method,
        ...endOf(ctx, write),
        status: ctx.status,
        requestId: ids?.requestId,
        traceId: ids?.trace.traceId,
        interactionId: write.interactionId?.(),
        tokenId: write.tokenId,
        address: ctx.ip,
      },
      'write',
    );
  }

  return async (ctx, next) => {
    await next();
    const write = (ctx.state['write'] ?? {}) as Partial<Write>; // of noteWrite
    if (isSafeMethod(ctx.method) || !log.isLevelEnabled('info') || reading.includes(write.call ?? '')) return;
    // The caller does not wait for it.
    void line(ctx, write);
  };
}
