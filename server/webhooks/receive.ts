import { othersTurn } from '#server/concurrency.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { stringify } from '#contract/json.ts';
import type { Webhook } from '#contract/message.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import { answeredKind, findAnsweredIfValid } from '#server/messages/matchWebhook.ts';
import { jsonOf } from '#server/http/body.ts';
import { BodyError, decodedText, readableText } from '#server/http/receivedBody.ts';
import { newCall, recordExchange, runInCall } from '#server/calls/callContext.ts';
import type { Timelines } from '#server/timeline/timeline.ts';
import { latestMessages, messages } from '#server/messages/records.ts';
import type { Storage } from '#server/storage/open.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { ofWorkspace, type Location } from '#server/storage/schema.ts';
import { secretsOf } from '#server/upstream/config.ts';
import type { UpstreamConfig, Workspaces } from '#server/upstream/config.ts';
import { header } from '#server/upstream/wire.ts';
import { escapeText } from '#server/escapeId.ts';
import { batches, subscriptions } from '#server/companies/records.ts';
import { companiesIn } from '#server/companies/companyList.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { authenticity, type Authenticity } from './authentic.ts';
import { applyWebhook, countedType, isDue } from './effects.ts';
import { eventsOf } from './events.ts';
import type { Event } from './events.ts';
import { saveWebhook, pruneWebhooks, webhookQuota } from './inbox.ts';

/** The webhooks of a workspace that were applied, by their ids; `at` in ms; `late`: it was older than what was known. */
export const receivedWebhooks: RecordKind<{ id: string; fingerprint: string; at: number; late?: true }> = {
  kind: 'receivedWebhooks',
  isOfWorkspace: true,
};
/** Age (ms) beyond which that is forgotten; the service stops redelivering long before. */
const webhookTtl = 14 * 24 * 60 * 60 * 1000;

/** Forgets the webhooks of all workspaces that the service no longer repeats. */
export async function pruneReceivedWebhooks({
  records,
  clock,
  workspaces,
}: Pick<Storage, 'records' | 'clock' | 'workspaces'>) {
  for (const workspace of await workspaces.list()) {
    const received = records(receivedWebhooks, { workspace, companyKey: ofWorkspace });
    const old: string[] = [];
    for await (const { id, at } of received.earliest()) {
      if (at >= clock.now() - webhookTtl) break;
      old.push(id);
    }
    await received.removeAll(old);
  }
}

/** The time of a delivery's signature; empty if it has none. */
function signedAt(ctx: Context): { sentAt?: string } {
  const seconds = ctx.get('webhook-timestamp');
  return /^\d{1,11}$/.test(seconds) ? { sentAt: iso(Number(seconds) * 1000) } : {};
}

const bytesOf = ({ request: { bytes = Buffer.alloc(0) } }: Context): Buffer => bytes;

const otherContent = () =>
  new Failure('idempotency-conflict', 'A webhook with this id and another content was received before.');

/** Maximum number of applications whose checks of webhooks stay in memory. */
const mostChecks = 1000;

/** The label of a delivery that is refused before its type is read. */
const ofNone = 'none';

/**
 * `accepted`: applied, or stored for reading; `repeated`: received before; `refused`: not authentic, or not understood;
 * `failed`: it could not be applied, and the service delivers it again.
 */
type WebhookOutcome = 'accepted' | 'repeated' | 'refused' | 'failed';

export interface WebhookMetrics {
  webhook: (type: string, outcome: WebhookOutcome) => void;
}

interface ReceiverDeps extends Pick<CompanyContext, 'clock' | 'log' | 'newId'> {
  config: { upstream: UpstreamConfig; workspaces?: Workspaces };
  timelines: Timelines;
  /** Absent if nothing is measured. */
  metrics?: WebhookMetrics;
}

/**
 * Handles POST /notifications: webhooks of the service, delivered at least once, each with one event or several (wire,
 * section 6.3). Each event is applied to the company that it belongs to. Answers 204 if all were applied. A failed
 * event does not stop the others; the answer is the first failure, so that the service delivers the webhook again.
 */
export function receiveWebhooks(
  { config, clock, log, newId, timelines, metrics }: ReceiverDeps,
  /** `sender`: the workspace whose application sent the webhook; undefined if workspaces share an application. */
  depsFor: (webhook: Webhook, sender: string | undefined, ctx: Context) => Promise<CompanyContext>,
): (ctx: Context) => Promise<void> {
  const { workspaces } = config;
  const upstreamOf = (workspace = defaultWorkspace) => workspaces?.upstreamOf(workspace) ?? config.upstream;
  const senderOf = (ctx: Context) => workspaces?.workspaceOf(ctx.get(header.application));
  const checks = new LRUCache<string, ReturnType<typeof authenticity>>({
    max: mostChecks,
    memoMethod: (sender) =>
      authenticity((sender === defaultWorkspace ? config.upstream : upstreamOf(sender)).webhook, clock),
  });
  // At the start, so that a configuration without secret and header is refused.
  checks.memo(defaultWorkspace);
  const checked = (ctx: Context): Promise<Authenticity> => checks.memo(senderOf(ctx) ?? defaultWorkspace)(ctx);
  let lastRefusal = -Infinity;

  /**
   * Returns a delivery as it is recorded in the timeline of the workspace `of`, without the secrets of that workspace's
   * application and of the sender's, and without the agreed header, which may be another application's.
   */
  function deliveryOf(ctx: Context, body: string, of: UpstreamConfig) {
    const { method, originalUrl: url, headers } = ctx;
    const applications = [config.upstream, upstreamOf(senderOf(ctx)), of];
    const agreed = applications.flatMap(({ webhook }) => webhook.header?.name.toLowerCase() ?? []);
    const shown = Object.entries(headers).map(([name, value]) => [name, agreed.includes(name) ? secretIsSet : value]);
    return {
      kind: 'webhook' as const,
      startedAt: clock.now(),
      method,
      url,
      request: { headers: Object.fromEntries(shown) as IncomingHttpHeaders, body },
      secrets: [...applications.flatMap(secretsOf), ...agreed.map((name) => ctx.get(name))],
    };
  }

  /** Records a delivery of which nothing is taken. */
  async function recordRefused(ctx: Context, { signature }: Authenticity, status: number, reason: string) {
    metrics?.webhook(ofNone, 'refused');
    const text = await readableText(bytesOf(ctx), ctx.headers, jsonLimits.webhook.bytes);
    recordExchange(
      { ...deliveryOf(ctx, text, config.upstream), status, reason, signature },
      newCall({ timeline: timelines.of(defaultWorkspace), interactionId: newId() }),
    );
  }

  /** Rejects with `forbidden` unless a delivery is authentic; records at most one refused delivery per second. */
  async function requireAuthentic(ctx: Context): Promise<Authenticity> {
    const found = await checked(ctx);
    if (found.reason === '') return found;
    if (clock.steady() - lastRefusal >= 1000) {
      lastRefusal = clock.steady();
      await recordRefused(ctx, found, 403, found.reason);
    } else metrics?.webhook(ofNone, 'refused');
    throw new Failure('forbidden', found.reason);
  }

  /**
   * Returns the text of an authentic delivery and its events. Rejects if the body cannot be decoded, or not be
   * understood; records a refused delivery too.
   */
  async function contentOf(ctx: Context, found: Authenticity): Promise<{ text: string; events: Event[] }> {
    try {
      const text = await decodedText(bytesOf(ctx), ctx.headers, jsonLimits.webhook.bytes);
      const body = escapeText(jsonOf(text, jsonLimits.webhook));
      const delivery = { id: ctx.get('webhook-id'), receivedAt: iso(clock.now()), ...signedAt(ctx) };
      return { text, events: eventsOf(body, delivery) };
    } catch (error) {
      const [status, reason] =
        error instanceof BodyError
          ? [error.status, `The body cannot be read: ${error.message}.`]
          : error instanceof Failure
            ? [error.problem.status, error.message]
            : [500, ''];
      await recordRefused(ctx, found, status, reason);
      throw error;
    }
  }

  /** Returns the id of the message that a webhook answers; '' if it answers none. */
  async function answersOf({ store }: CompanyContext, webhook: Webhook): Promise<string> {
    if (!answeredKind(webhook.type)) return '';
    const { messages: answered, among } = await findAnsweredIfValid(store, webhook);
    const namedMessage = among.find(({ messageId }) => messageId === webhook.interactionId);
    return (namedMessage ?? answered[0])?.messageId ?? '';
  }

  async function take(
    ctx: Context,
    { signature }: Authenticity,
    { webhook, known, fingerprint }: Event,
    body: string,
  ): Promise<CompanyContext> {
    const deps = await depsFor(webhook, senderOf(ctx), ctx);
    const answers = await answersOf(deps, webhook);
    const { timeline } = deps;
    const interactionId = answers || webhook.interactionId || newId();
    const exchange = newCall({ timeline, interactionId, name: webhook.type });
    const delivery = { ...deliveryOf(ctx, body, deps.config.upstream), signature, answers };
    try {
      const { isRepeat, late } = await runInCall(exchange, () => dealWith(deps, { webhook, known, fingerprint }));
      metrics?.webhook(countedType(webhook), isRepeat ? 'repeated' : 'accepted');
      recordExchange({ ...delivery, status: 204, late }, exchange);
    } catch (error) {
      recordExchange({ ...delivery, status: error instanceof Failure ? error.problem.status : 500 }, exchange);
      throw error;
    }
    return deps;
  }

  /**
   * Applies a webhook once, on all servers. Returns whether it had been received before, and whether it was late when it was
   * applied. One whose application was interrupted is applied again, which changes nothing.
   */
  const dealWith = (deps: CompanyContext, { webhook, known, fingerprint }: Event) =>
    deps.store.withLock(`webhook ${webhook.id}`, async (): Promise<{ isRepeat: boolean; late: boolean }> => {
      const received = deps.store.records(receivedWebhooks);
      const before = await received.get(webhook.id);
      if (before && before.fingerprint !== fingerprint) throw otherContent();
      // Without an id, a repeat is recognised only by its content, which may legitimately occur again.
      if (before && (known || !(await isDue(deps, webhook)))) return { isRepeat: true, late: before.late === true };
      const effect = await applyWebhook(deps, webhook);
      const late = effect === 'late';
      if (before) return { isRepeat: true, late };
      if (effect === 'news') await saveWebhook(deps.store, webhook);
      await received.put(webhook.id, { id: webhook.id, fingerprint, at: clock.now(), ...(late && { late }) });
      return { isRepeat: false, late };
    });

  return async (ctx) => {
    const found = await requireAuthentic(ctx);
    const failed: unknown[] = [];
    /** The companies whose inboxes have to be trimmed. */
    const touched = new Map<string, CompanyContext>();
    let accepted = 0;
    const trim = async () => {
      for (const deps of touched.values()) await pruneWebhooks(deps);
      touched.clear();
    };
    const { text, events } = await contentOf(ctx, found);
    for (const event of events) {
      await take(ctx, found, event, events.length === 1 ? text : stringify(event.webhook)).then(
        (deps) => touched.set(`${deps.store.workspace}/${deps.companyKey}`, deps),
        (error: unknown) => {
          metrics?.webhook(countedType(event.webhook), isRefusal(error) ? 'refused' : 'failed');
          log.warn({ webhookId: event.webhook.id, err: error }, 'a webhook could not be taken');
          failed.push(error);
        },
      );
      accepted += 1;
      // Not after each event: trimming takes time proportional to the number of stored webhooks.
      if (accepted % webhookQuota.webhooks === 0) await trim();
      await othersTurn();
    }
    await trim();
    if (failed.length > 0) throw failed[0];
    ctx.status = 204;
  };
}

/**
 * Returns the company that owns the subscription or batch of a webhook; the service issued
 * these ids to that company only. Companies choose the ids of debtors and creditors themselves, so a webhook about one
 * is assigned only if exactly one company has a message about it. All other webhooks, and those about another
 * workspace's resources, go to the current company of the sender or, without a sender, of the default workspace.
 */
export async function companyOfWebhook(storage: Storage, webhook: Webhook, sender?: string): Promise<Location> {
  const owner = await namedOwner(storage, webhook);
  if (owner && (sender === undefined || sender === owner.workspace)) return owner;
  const workspace = sender ?? defaultWorkspace;
  return { workspace, companyKey: await companiesIn(storage, workspace).current() };
}

/** Returns the company to which the ids in a webhook belong; undefined if there is not exactly one. */
async function namedOwner(
  { collection }: Storage,
  { subscriptionId, interactionId, resource }: Webhook,
): Promise<Location | undefined> {
  const id = resource?.id ?? '';
  const [owner] = [
    ...(await collection(subscriptions).locationsOf(subscriptionId ?? id)),
    ...(await collection(batches).locationsOf(id)),
  ];
  if (owner) return owner;
  const senders = [
    ...(interactionId === undefined ? [] : await collection(messages).locationsOf(interactionId)),
    ...(subscriptionId === undefined ? await collection(latestMessages).locationsOf(id) : []),
  ];
  return senders.length === 1 ? senders[0] : undefined;
}
