import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { z } from 'zod';
import { html } from '#server/http/html.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import type { SandboxConfig } from '../config.ts';
import { sandboxNames } from '../credentials.ts';
import { parse, Problem } from '../http/problem.ts';
import type { Faults } from '../faults/faults.ts';
import { faultHeaders } from '../records/call.ts';
import { failureButtons, hiddenFields, sendPage } from '../pages/html.ts';
import type { Collections } from '../store/tenantStore.ts';
import { issuers } from './callers.ts';
import { userRecords } from './records.ts';
import type { Tokens } from './tokens.ts';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Parameters of a login by the implicit flow (behaviour, section 7). */
const authorizeQuery = z.object({
  response_type: z.literal('token', 'token, the implicit flow'),
  scope: z.string().regex(/\bopenid\b/, 'a scope that holds openid'),
  client_id: z.literal(sandboxNames.clientId, 'a registered client id'),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'an http or https address' }),
  state: z.string().default(''),
});

const decision = authorizeQuery.extend({
  outcome: z.enum(['login', 'refuse', 'expired']),
  name: z.string().trim(),
  email: z.string().trim().toLowerCase(),
});

const person = z.object({
  name: z.string().min(1, 'a name is required'),
  email: z.email('an e-mail address such as user@example.com'),
});

function checkRedirect(redirectUri: string, { redirectUris }: Pick<SandboxConfig, 'redirectUris'>): void {
  if (!redirectUris.includes(redirectUri) && !loopback.includes(new URL(redirectUri).hostname))
    throw new Problem(400, 'redirect_uri: neither registered nor on this machine');
}

interface Deps {
  config: Pick<SandboxConfig, 'redirectUris' | 'tokenLife'>;
  store: Collections;
  tokens: Pick<Tokens, 'issue'>;
  faults: Pick<Faults, 'take'>;
  newId: () => string;
}

/** The identity provider's login page for the implicit flow (behaviour, section 7). */
export function identityRoutes({ config, store, tokens, faults, newId }: Deps): Router {
  const router = new Router();
  const users = userRecords(store);

  router.get(pathOf('authorize'), (ctx) => {
    const query = parse(ctx, authorizeQuery, ctx.query);
    checkRedirect(query.redirect_uri, config);
    sendPage(
      ctx,
      200,
      'Log in to the sandbox',
      html`<p>Any name and e-mail address will do. The token goes to ${new URL(query.redirect_uri).origin}.</p>
        <form method="post">
          ${hiddenFields(query)}
          <label>Name <input name="name" autocomplete="name" value="Sandbox User" required /></label>
          <label>
            E-mail <input name="email" type="email" autocomplete="email" value="user@example.com" required />
          </label>
          <button class="primary" name="outcome" value="login">Log in</button>
          ${failureButtons('Other things an identity provider may do, to see how the console handles them.', [
            html`<button name="outcome" value="refuse" formnovalidate>Refuse</button>`,
            html`<button name="outcome" value="expired">Log in with an expired token</button>`,
          ])}
        </form>`,
    );
  });

  router.post(pathOf('authorize'), async (ctx) => {
    const { outcome, redirect_uri, state, name, email } = parse(ctx, decision, ctx.request.body);
    checkRedirect(redirect_uri, config);
    const back = (fragment: Record<string, string>, returned: Record<string, string> = { state }): void => {
      ctx.redirect(`${redirect_uri}#${new URLSearchParams({ ...fragment, ...returned })}`);
      ctx.status = 303;
    };
    if (outcome === 'refuse') return back({ error: 'access_denied' });

    parse(ctx, person, { name, email });
    const sub = createHash('sha256').update(email).digest('hex').slice(0, 32);
    await users.save(sub, { sub, email, name });
    const active = await faults.take('login', 'login', [name]);
    if (active) ctx.set(faultHeaders(active.injected));
    if (active?.fault.kind === 'neverReturns')
      return sendPage(
        ctx,
        200,
        'Logged in',
        html`<p role="status">${name} is logged in. This page does not continue.</p>`,
      );
    const ttl = outcome === 'expired' ? -config.tokenLife : config.tokenLife;
    const granted = {
      access_token: await tokens.issue(issuers.idp, { sub, email, name }, ttl),
      token_type: 'Bearer',
      expires_in: String(Math.max(0, Math.floor(ttl / 1000))),
    };
    if (active) back(granted, active.fault.kind === 'wrongState' ? { state: newId() } : {});
    else back(granted);
  });

  return router;
}
