import { PassThrough } from 'node:stream';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { matching } from '#rules/timeline.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { pageOf } from '#server/pages.ts';
import { bundleOf } from '#server/record/bundle.ts';
import { harOf } from '#server/record/har.ts';
import { secretsIn, storedSettingsOf } from '#server/settings.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { version } from '#server/version.ts';
import { factsRoutes } from './facts.ts';
import type { Handlers } from './route.ts';

/** The entries of the timeline, newest first. */
export function timelineRoutes({ timeline }: Deps) {
  return {
    getTimeline: async ({ query }) =>
      pageOf(matching(await timeline.list(), query).reverse(), ({ id }) => id, {
        limit: query.limit,
        after: query.after,
      }),
  } satisfies Partial<Handlers>;
}

/**
 * Paths for following and exporting the timeline; these are not JSON calls and therefore not in the contract's list.
 */
export const timelinePaths = {
  events: '/api/timeline/events',
  har: '/api/timeline.har',
  zip: '/api/timeline.zip',
} as const;

/** Time (ms) after which a connection is closed, so that users must prove again that they may read the timeline. */
const longestVisit = 5 * 60_000;
/** Interval (ms) of comments sent to show proxies that the connection is in use. */
const heartbeat = 15_000;
/** Time (ms) after which a browser reconnects. */
const comeAgain = 1000;
/** Maximum characters buffered for a client that does not read; beyond that its connection is closed. */
const mostWaiting = 16 * 1024 * 1024;
/** Maximum number of clients that follow one workspace at the same time. */
const mostFollowers = 20;

const eventOf = (entry: TimelineEntry): string => `id: ${entry.id}\nevent: entry\ndata: ${stringify(entry)}\n\n`;

/**
 * Sends entries as server-sent events: first those after the entry in `Last-Event-ID`, then new ones. Sends an event
 * `gap` if entries in between are no longer stored.
 */
async function follow(ctx: Context, { timeline, clock, log }: Deps, followers: Set<PassThrough>): Promise<void> {
  const lastId = ctx.get('Last-Event-ID');
  if (!/^\d{0,16}$/.test(lastId))
    throw new Failure('invalid-request', 'The header Last-Event-ID is not the id of an entry.', {
      errors: [{ path: 'Last-Event-ID', message: 'give the id of the last entry that was received, or nothing' }],
    });
  if (followers.size >= mostFollowers)
    throw new Failure('rate-limited', `${mostFollowers} pages follow the timeline already: close one of them.`, {
      retryAfter: 60,
    });
  const stream = new PassThrough();
  followers.add(stream);
  stream.on('error', (error) => log.debug({ err: error }, 'a page no longer follows the timeline'));
  let sent = Number(lastId);
  const send = (entries: readonly TimelineEntry[]) => {
    const news = entries.filter(({ id }) => Number(id) > sent);
    sent = Number(news.at(-1)?.id ?? sent);
    stream.write(news.map(eventOf).join(''));
    if (stream.writableLength > mostWaiting) stream.destroy();
  };
  // New entries are held back until the earlier ones have been read and sent.
  let heard: TimelineEntry[] | undefined = [];
  const leave = timeline.follow(
    (entries) => (heard ? void heard.push(...entries) : send(entries)),
    () => stream.end(),
  );
  let beating: unknown;
  const beat = () => {
    stream.write(': here\n\n');
    beating = clock.setTimeout(beat, heartbeat);
  };
  beating = clock.setTimeout(beat, heartbeat);
  const ending = clock.setTimeout(() => stream.end(), longestVisit);
  stream.once('close', () => {
    leave();
    followers.delete(stream);
    for (const timer of [beating, ending]) clock.clearTimeout(timer);
  });
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  ctx.body = stream;
  stream.write(`retry: ${comeAgain}\n\n`);
  if (lastId !== '') {
    const kept = await timeline.list();
    if (Number(kept[0]?.id ?? Infinity) > sent && kept.length > 0) stream.write('event: gap\ndata: {}\n\n');
    send(kept);
  }
  send(heard);
  heard = undefined;
}

/** The console's origin as the browser sees it. */
const originOf = ({ protocol, host }: Context): string => `${protocol}://${host}`;

/** Registers the routes for following and exporting the timeline. `depsOf` throws if the caller has no workspace. */
export function registerTimeline(router: Router, depsOf: (ctx: Context) => Promise<Deps>): void {
  const followersOf = new WeakMap<object, Set<PassThrough>>();

  router.get(timelinePaths.events, async (ctx) => {
    const deps = await depsOf(ctx);
    const followers = followersOf.get(deps.timeline) ?? new Set();
    followersOf.set(deps.timeline, followers);
    await follow(ctx, deps, followers);
  });

  const download = (ctx: Context, name: string, type: string, content: string | Buffer) => {
    ctx.set({ 'Content-Disposition': `attachment; filename="${name}"`, 'Cache-Control': 'no-store' });
    ctx.type = type;
    ctx.body = content;
  };

  router.get(timelinePaths.har, async (ctx) => {
    const { timeline } = await depsOf(ctx);
    download(ctx, 'timeline.har', 'application/json', stringify(harOf(await timeline.list(), originOf(ctx), version)));
  });

  router.get(timelinePaths.zip, async (ctx) => {
    const deps = await depsOf(ctx);
    const stored = await storedSettingsOf(deps.store);
    const timeline = await deps.timeline.list();
    const facts = await factsRoutes(deps).getFacts();
    const bundle = bundleOf(
      {
        timeline,
        har: harOf(timeline, originOf(ctx), version),
        facts,
        rules: await rulesFor(deps, facts.provider?.providerId, stored.acceptLanguage),
        versions: { console: version, node: process.version, platform: process.platform },
      },
      [...secretsOf(deps.config.upstream), ...secretsIn(stored)],
    );
    download(ctx, 'support-bundle.zip', 'application/zip', bundle);
  });
}

/** The rules of a provider; the problem if they cannot be read; null without a subscription. */
async function rulesFor({ upstream }: Deps, providerId: string | undefined, language: string): Promise<unknown> {
  if (providerId === undefined) return null;
  try {
    return (await upstream.provider(providerId, language)).data.accountType.validationRules;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.problem;
  }
}
