import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import {
  labCalls,
  labPath,
  type LabAnswer,
  type LabBody,
  type LabCall,
  type LabCallName,
} from '#contract/sandboxLab.ts';
import { equalSecrets, type SandboxCredentials } from '../credentials.ts';
import { parse, Problem } from '../http/problem.ts';

/** Handles a call; `id` is the id in its path, '' if there is none. */
type LabHandlers = { [N in LabCallName]: (body: LabBody<N>, id: string) => LabAnswer<N> | Promise<LabAnswer<N>> };

/** Refuses calls with 401 unless their bearer token is the sandbox's control token. */
const requireControlToken =
  (resetToken: string): Middleware =>
  (ctx, next) => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(ctx.get('authorization')) ?? [];
    if (!equalSecrets(token, resetToken))
      throw new Problem(401, 'Header authorization: the token that the sandbox’s own page shows is required', [], {
        'www-authenticate': 'Bearer',
      });
    return next();
  };

/** Routes calls of the lab as declared; requires the control token, and checks bodies. */
export function routeLabCalls<N extends LabCallName>(
  { resetToken }: Pick<SandboxCredentials, 'resetToken'>,
  handlers: Pick<LabHandlers, N>,
): Router {
  const router = new Router();
  for (const name of Object.keys(handlers) as N[]) {
    const { method, status, body }: LabCall = labCalls[name];
    const path = labPath(name, ':id');
    router[method](path, requireControlToken(resetToken), async (ctx: Context) => {
      const asked = (body ? parse(ctx, body, ctx.request.body) : undefined) as LabBody<N>; // by its own schema
      const answer = await handlers[name](asked, (ctx['params'] as { id?: string }).id ?? '');
      ctx.body = answer === undefined ? null : { data: answer };
      ctx.status = status;
    });
  }
  return router;
}
