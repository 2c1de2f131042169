import Router from '@koa/router';
import { endpoints, wire } from '#server/upstream/wire.ts';
import { parse, Problem } from '../http/problem.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { Collections } from '../store/tenantStore.ts';
import type { Callers } from './callers.ts';
import { accountRecords } from './records.ts';

interface Deps {
  store: Collections;
  callers: Pick<Callers, 'user'>;
  idempotency: Idempotency;
  newId: () => string;
}

/**
 * Accounts and data sets of the network. The bearer token is a user's; an account must exist before its data sets
 * (wire, section 2.5).
 */
export function networkRoutes({ store, callers, idempotency, newId }: Deps): Router {
  const accounts = accountRecords(store);
  const router = new Router();

  router.post(endpoints.accounts, async (ctx) => {
    const { sub } = await callers.user(ctx);
    const { data } = parse(ctx, wire.accountRequest, ctx.request.body);
    const path = 'data.owner.user.identityId';
    if (data.owner.user.identityId !== sub)
      throw new Problem(422, `${path}: not the identity of the user token`, [
        { path, message: 'must be the sub of the user whose token is sent' },
      ]);
    await idempotency(ctx, sub, async () => {
      const id = newId();
      await accounts.add(`${sub}/${id}`, { sub });
      return { status: 201, body: { data: { id, ...data } } };
    });
  });

  router.post(endpoints.datasets, async (ctx) => {
    const { sub } = await callers.user(ctx);
    const { data } = parse(ctx, wire.datasetRequest, ctx.request.body);
    if ((await accounts.list(`${sub}/`)).length === 0)
      throw new Problem(422, 'The user has no account yet; a data set needs one');
    await idempotency(ctx, sub, () => ({ status: 201, body: { data: { id: newId(), ...data } } }));
  });

  return router;
}
