import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { memberOf } from '#contract/member.ts';
import { serviceCall, type serviceCalls } from '#contract/serviceCalls.ts';
import { operations, type Operation, type OperationName } from '#server/upstream/operations.ts';
import { header, keyTtlOf } from '#server/upstream/wire.ts';
import { idOf, type CallerOf, type Callers } from '../onboarding/callers.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { headerProblem, parse } from './problem.ts';

type Table = typeof operations;
type Body<Name extends OperationName> = Table[Name] extends { body: { schema: infer S extends z.ZodType } }
  ? z.output<S>
  : undefined;
type Query<Name extends OperationName> = Table[Name] extends { query: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** A call of the service whose caller is known and whose body and query have the shapes of the table. */
export interface ServedCall<Name extends OperationName> {
  ctx: Context;
  caller: CallerOf[(typeof serviceCalls)[Name]['proof']];
  body: Body<Name>;
  query: Query<Name>;
  /** The id in the path, of this name. */
  id: (name: string) => string;
}

/** What the service does for each of its calls; returns the body of the answer. Throws a Problem to refuse the call. */
export type Handlers = { [Name in OperationName]: (call: ServedCall<Name>) => unknown };

/**
 * The routes of the service, as its table has them: who calls, what the call says, then its handler, once for each key if it
 * writes. Throws a 400, 401 or 409 problem for a call that does not get to its handler.
 */
export function serviceRoutes(handlers: Handlers, callers: Callers, idempotency: Idempotency): Router {
  const router = new Router();
  for (const name of Object.keys(operations) as OperationName[]) {
    const { methods, path, proof, writes } = serviceCall(name);
    const { body, query, status, answer }: Operation = operations[name];
    const handle = handlers[name] as (call: ServedCall<OperationName>) => unknown; // what is parsed by its own row
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [...methods], async (ctx: Context) => {
      const caller = await callers[proof](ctx);
      if (writes === 'message' && !z.uuid().safeParse(ctx.get(header.interaction)).success)
        throw headerProblem(header.interaction, 'a UUID is required');
      const call = {
        ctx,
        caller,
        body: body && parse(ctx, body.schema, ctx.request.body),
        query: query && parse(ctx, query, ctx.query),
        id: (of: string) => (ctx.params as Record<string, string | undefined>)[of] ?? '',
      } as ServedCall<OperationName>; // parsed by its own row
      if (writes)
        return idempotency(
          ctx,
          idOf(caller),
          async () => ({ status, body: await handle(call) }),
          keyTtlOf(memberOf(call.body, 'data')),
        );
      ctx.body = await handle(call);
      if (answer?.type !== undefined) ctx.type = answer.type;
    });
  }
  return router;
}
