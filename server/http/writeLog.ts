import type { Context } from 'koa';
import type { Logger } from 'pino';
import { calls } from '#contract/calls.ts';
import { own } from '#contract/member.ts';
import type { Outcome } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { callContext, type CallContext } from '#server/calls/callContext.ts';
import { outcomeOf } from '#server/calls/writeOutcome.ts';
import { isSafeMethod } from './page.ts';

/** Returns how a write has ended, as its caller was told. */
function endOf(ctx: Context, { attempt, hasLeft }: CallContext): { outcome: Outcome | 'replayed'; code?: string } {
  if (ctx.status < 400 && !hasLeft)
    return { outcome: ctx.response.get('Idempotent-Replay') === 'true' ? 'replayed' : 'done' };
  const { outcome, code } = (ctx.body ?? {}) as Partial<Problem>; // of problems.ts, or none
  return { outcome: outcome ?? outcomeOf(attempt), ...(code !== undefined && { code }) };
}

/** Whether a call changes nothing, although its method is one of writes. */
const isReading = (name: string): boolean => own(calls, name) && 'reads' in calls[name];

/**
 * Returns a function that logs one line for each write of a user or a program, whether it was done or not. `subjectOf`
 * returns the provider's id of a workspace's user; absent if nobody signs in.
 */
export function writeLog(
  log: Logger,
  subjectOf: (workspace: string) => Promise<string> = () => Promise.resolve(''),
): (ctx: Context) => void {
  async function line(ctx: Context, call: CallContext): Promise<void> {
    const { ids, workspace, name, interactionId, tokenId, company } = call;
    log.info(
      {
        subject: await subjectOf(workspace).catch(() => ''),
        workspace,
        company: await Promise.resolve(company()).catch(() => ''),
        call: name,
        route: ctx['_matchedRoute'] as unknown,
        method: ctx.method,
        ...endOf(ctx, call),
        status: ctx.status,
        requestId: ids?.requestId,
        traceId: ids?.trace.traceId,
        interactionId: interactionId || undefined,
        tokenId,
        address: ctx.ip,
      },
      'write',
    );
  }

  return (ctx) => {
    const call = callContext();
    if (!call || isSafeMethod(ctx.method) || !log.isLevelEnabled('info') || isReading(call.name)) return;
    // Without a workspace nobody has said who they are. The caller does not wait for it.
    if (call.workspace !== '') void line(ctx, call);
  };
}
