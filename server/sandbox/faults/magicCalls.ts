import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { header } from '#server/upstream/wire.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import type { Collections } from '../store/tenantStore.ts';
import type { CallFaults } from './callFaults.ts';
import { amountFault } from './magicValues.ts';

/** The path and idempotency key of each call that has met the fault of a magic amount. */
const magicCallRecords = (store: Collections) => store.collection<true>('magic');

const amountsShape = z.object({
  data: z.object({
    payments: z.array(z.object({ instructedAmount: z.object({ amount: z.string() }) })),
  }),
});

/** Returns the amounts of the payments in a body; [] if it is not a batch. */
const amountsIn = (body: unknown): string[] =>
  amountsShape.safeParse(body).data?.data.payments.map(({ instructedAmount: { amount } }) => amount) ?? [];

/** Returns a middleware that applies the faults caused by values in a call; it needs the parsed body. */
export function magicCallFaults(store: Collections, { inject }: Pick<CallFaults, 'inject'>): Middleware {
  const met = magicCallRecords(store);
  const isFirst = async (ctx: Context): Promise<boolean> => {
    const key = ctx.get(header.idempotency);
    return key === '' || met.add(`${ctx.path} ${key}`, true);
  };
  return async (ctx, next) => {
    const active =
      operationOf(ctx.method, ctx.path) === 'createBatch' ? amountFault(amountsIn(ctx.request.body)) : undefined;
    // Once for each key: a repeat under the same key shows the real outcome.
    if (active && (await isFirst(ctx))) await inject(ctx, next, active);
    else await next();
  };
}
