import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Webhook } from '#contract/entities.ts';
import { parse } from '#contract/json.ts';
import { iso } from '#server/clock.ts';
import type { AppDeps, Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { fitting } from '#server/fitting.ts';
import { bounds } from '#server/json.ts';
import { jsonOf } from '#server/middleware/body.ts';
import { fingerprintOf } from '#server/once.ts';
import type { Place } from '#server/store/namespaces.ts';
import type { Stores } from '#server/store/store.ts';
import { wire } from '#server/upstream/wire.ts';
import { visible, visibleId } from '#server/visible.ts';
import { defaultWorkspace } from '#server/workspaces.ts';
import { act } from './effects.ts';
import { keep } from './inbox.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

/**
 * POST /notifications: the service's webhooks, delivered at least once (upstream-api, section 6.3). Authentic are those
 * that bear a Standard Webhooks signature and the agreed header, if one was agreed. Each takes effect in the company
 * that it belongs to. Answers 204.
 */
export function receiveWebhooks(
  { config, clock }: Pick<AppDeps, 'config' | 'clock'>,
  depsFor: (webhook: Webhook) => Promise<Deps>,
): Middleware {
  const { secret, header } = config.upstream.webhook;
  const verifier = new Verifier(secret);

  /** The text, if it is authentic; throws `forbidden`. */
  function verified(ctx: Context): string {
    if (header && !equal(ctx.get(header.name), header.value))
      throw new Failure('forbidden', 'The webhook lacks the agreed header.');
    try {
      verifier.verify(ctx.request.rawBody, ctx.headers as Record<string, string>); // absent headers are refused
      return ctx.request.rawBody;
    } catch (error) {
      // Authentic, but no JSON: the verifier reads the text once it knows that.
      if (error instanceof SyntaxError) return ctx.request.rawBody;
      throw new Failure('forbidden', 'The webhook’s signature is not valid for this secret, or too old.');
    }
  }

  function webhookOf(ctx: Context): Webhook {
    const { data: body, faults } = fitting(wire.webhook, visible(jsonOf(verified(ctx), bounds.webhook)));
    if (faults) throw new Failure('invalid-request', `The webhook cannot be understood: ${faults[0]?.message}.`);
    const { type, subscriptionId, interactionId, resource, data } = body;
    return {
      id: visibleId(ctx.get('webhook-id')),
      receivedAt: iso(clock.now()),
      type,
      ...(subscriptionId !== undefined && { subscriptionId }),
      ...(interactionId !== undefined && { interactionId }),
      ...(resource && { resource: { id: resource.id, type: resource.type } }),
      ...(data !== undefined && { data }),
    };
  }

  return async (ctx) => {
    const webhook = webhookOf(ctx);
    const deps = await depsFor(webhook);
    await deps.once(`webhook/${webhook.id}`, fingerprintOf('webhook', parse(ctx.request.rawBody)), async () => {
      await keep(deps, webhook, await act(deps, webhook));
      return null;
    });
    ctx.status = 204;
  };
}

/**
 * The company that has the subscription or the batch which a webhook is about, and its workspace; the service gave their
 * ids to this company alone. About a debtor or a creditor anybody can write: such a webhook counts where exactly one
 * company has a message about it. What belongs to nobody is kept in the default workspace, with its current company.
 */
export async function ownerOf(stores: Stores, { subscriptionId, interactionId, resource }: Webhook): Promise<Place> {
  const id = resource?.id ?? '';
  const [owner] = [...stores.ownersOf('subscriptions', subscriptionId ?? id), ...stores.ownersOf('batches', id)];
  if (owner) return owner;
  const senders = [
    ...(interactionId === undefined ? [] : stores.ownersOf('messages', interactionId)),
    ...(subscriptionId === undefined ? stores.ownersOf('subjects', id) : []),
  ];
  if (senders.length === 1) return senders[0]!; // this one
  return { workspace: defaultWorkspace, scope: await stores.of(defaultWorkspace).scopes.current() };
}
