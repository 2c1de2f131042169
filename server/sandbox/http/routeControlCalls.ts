import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import {
  controlCalls,
  controlPath,
  type ControlAnswer,
  type ControlBody,
  type ControlCall,
  type ControlCallName,
} from '#contract/controlCalls.ts';
import { equalSecrets, type SandboxCredentials } from '../credentials.ts';
import { parse, Problem } from './problem.ts';

/** Handles a call; `id` is the id in its path, '' if there is none. */
type LabHandlers = {
  [N in ControlCallName]: (body: ControlBody<N>, id: string) => ControlAnswer<N> | Promise<ControlAnswer<N>>;
};

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
export function routeControlCalls<N extends ControlCallName>(
  { resetToken }: Pick<SandboxCredentials, 'resetToken'>,
  handlers: Pick<LabHandlers, N>,
): Router {
  const router = new Router();
  for (const name of Object.keys(handlers) as N[]) {
    const { method, status, body }: ControlCall = controlCalls[name];
    const path = controlPath(name, ':id');
    router[method](path, requireControlToken(resetToken), async (ctx: Context) => {
      const asked = (body ? parse(ctx, body, ctx.request.body) : undefined) as ControlBody<N>; // by its own schema
      const answer = await handlers[name](asked, (ctx['params'] as { id?: string }).id ?? '');
      ctx.body = answer === undefined ? null : { data: answer };
      ctx.status = status;
    });
  }
  return router;
}
