import Router from '@koa/router';
import { endpoints, wire } from '#server/upstream/wire.ts';
import { parse, Problem } from '../http/problem.ts';
import type { Services } from '../services.ts';

/**
 * Accounts and data sets of the network. The bearer token is a user's; an account must exist before its data sets
 * (wire, section 2.5).
 */
export function networkRoutes({ storage, callers, idempotency, newId }: Services): Router {
  const router = new Router();

  router.post(endpoints.accounts, async (ctx) => {
    const { sub } = await callers.user(ctx);
    const { data } = parse(wire.accountRequest, ctx.request.body);
    const path = 'data.owner.user.identityId';
    if (data.owner.user.identityId !== sub)
      throw new Problem(422, `${path}: not the identity of the user token`, [
        { path, message: 'must be the sub of the user whose token is sent' },
      ]);
    await idempotency(ctx, sub, async () => {
      const id = newId();
      await storage.add('account', `${sub}/${id}`, { sub });
      return { status: 201, body: { data: { id, ...data } } };
    });
  });

  router.post(endpoints.datasets, async (ctx) => {
    const { sub } = await callers.user(ctx);
    const { data } = parse(wire.datasetRequest, ctx.request.body);
    if ((await storage.ids('account', `${sub}/`)).size === 0)
      throw new Problem(409, 'The user has no account yet; a data set needs one');
    await idempotency(ctx, sub, () => ({ status: 201, body: { data: { id: newId(), ...data } } }));
  });

  return router;
}
