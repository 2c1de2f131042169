import type { Middleware } from 'koa';
import type { SandboxCredentials } from '../credentials.ts';
import { Problem } from '../http/problem.ts';
import { equalSecrets } from '../secrets.ts';

/** Refuses calls with 401 unless their bearer token is the sandbox's control token. */
export const controlled =
  ({ resetToken }: SandboxCredentials): Middleware =>
  (ctx, next) => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(ctx.get('authorization')) ?? [];
    if (!equalSecrets(token, resetToken))
      throw new Problem(401, 'Header authorization: the token that the sandbox’s own page shows is required', [], {
        'www-authenticate': 'Bearer',
      });
    return next();
  };
