import type Router from '@koa/router';
import type { Context } from 'koa';
import { stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { matching } from '#rules/timeline.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { RecordEvents } from '#server/companies/recordEvents.ts';
import { Failure } from '#server/failure.ts';
import { pageOf } from '#server/http/pagination.ts';
import { bundleOf } from '#server/timeline/bundle.ts';
import { harOf } from '#server/timeline/har.ts';
import { secretsIn, storedSettingsOf } from '#server/companies/settings.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { recordsEvent } from './events.ts';
import { factsRoutes } from './facts.ts';
import type { Handlers, Workspace } from './handlers.ts';
import { eventStream } from '#server/http/sse.ts';
import { version } from '../../package.json' with { type: 'json' };

/** Handlers for the entries of the timeline, newest first. */
export function timelineRoutes({ timeline }: CompanyContext) {
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

/** Maximum number of characters buffered for a client that does not read; beyond it, the connection is closed. */
const mostWaiting = 16 * 1024 * 1024;
/** Maximum number of clients that follow one workspace at the same time. */
const mostFollowers = 20;

/** The number of pages that follow each timeline, and the changes that they may also receive. */
interface StreamCounts {
  recordEvents: RecordEvents;
  pages: Map<string, number>;
}
type Following = Pick<Workspace, 'timeline' | 'workspace' | 'clock' | 'log'>;

/**
 * Sends entries as server-sent events: first those after the entry in `Last-Event-ID`, then new ones. If several
 * servers write, entries may come out of order, and entries shortly before `Last-Event-ID` are sent again. Sends an
 * event `gap` if entries in between are no longer stored. With the query `news=true` it also sends news, so that a page
 * that follows the timeline needs no second stream.
 */
async function follow(
  ctx: Context,
  { timeline, workspace, clock, log }: Following,
  { pages, recordEvents }: StreamCounts,
): Promise<void> {
  const lastId = ctx.get('Last-Event-ID');
  if (!/^\d{0,16}$/.test(lastId))
    throw new Failure('invalid-request', 'The header Last-Event-ID is not the id of an entry.', {
      errors: [{ path: 'Last-Event-ID', message: 'give the id of the last entry that was received, or nothing' }],
    });
  const others = pages.get(workspace) ?? 0;
  if (others >= mostFollowers)
    throw new Failure('rate-limited', `${mostFollowers} pages follow the timeline already: close one of them.`, {
      retryAfter: 60,
    });
  pages.set(workspace, others + 1);
  const leaving: (() => void)[] = [() => pages.set(workspace, (pages.get(workspace) ?? 1) - 1)];
  const leaveAll = () => leaving.forEach((leave) => leave());
  const { send, end } = eventStream(ctx, { clock, log }, { beat: ': here\n\n', most: mostWaiting, left: leaveAll });
  let latest = Number(lastId);
  /**
   * Sets an event id only on an entry later than all before, because a reconnection resumes after it; another server's
   * entry may come late.
   */
  const eventOf = (entry: TimelineEntry): string => {
    const isLatest = Number(entry.id) > latest;
    if (isLatest) latest = Number(entry.id);
    return `${isLatest ? `id: ${entry.id}\n` : ''}event: entry\ndata: ${stringify(entry)}\n\n`;
  };
  const sendEntries = (entries: readonly TimelineEntry[]) => send(entries.map(eventOf).join(''));
  // New entries are held back until the earlier ones have been sent.
  let buffered: TimelineEntry[] | undefined = [];
  leaving.push(timeline.follow((entries) => (buffered ? void buffered.push(...entries) : sendEntries(entries)), end));
  if (ctx.query['news'] === 'true')
    leaving.push(recordEvents.follow(workspace, [], (id) => send(recordsEvent(id)), end));
  const ids = new Set<string>();
  if (lastId !== '') {
    const stored = await timeline.list();
    if (Number(stored[0]?.id ?? Infinity) > latest && stored.length > 0) send('event: gap\ndata: {}\n\n');
    const after = Number(lastId) - timeline.lateness;
    const missed = stored.filter(({ id }) => Number(id) > after && id !== lastId);
    for (const { id } of missed) ids.add(id);
    sendEntries(missed);
  }
  sendEntries(buffered.filter(({ id }) => !ids.has(id)));
  buffered = undefined;
}

/** Returns the console's origin as the browser sees it. */
const originOf = ({ protocol, host }: Context): string => `${protocol}://${host}`;

/** Registers the routes for following and exporting the timeline. `depsOf` throws if the caller has no workspace. */
export function registerTimeline(
  router: Router,
  depsOf: (ctx: Context) => Promise<Workspace>,
  { recordEvents }: { recordEvents: RecordEvents },
): void {
  /** The number of pages that follow each workspace's timeline. */
  const pages = new Map<string, number>();

  router.get(timelinePaths.events, async (ctx) => {
    await follow(ctx, await depsOf(ctx), { pages, recordEvents });
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

/** Returns the rules of a provider; the problem if they cannot be read; null without a subscription. */
async function rulesFor(
  { upstream }: CompanyContext,
  providerId: string | undefined,
  language: string,
): Promise<unknown> {
  if (providerId === undefined) return null;
  try {
    return (await upstream.provider(providerId, language)).data.accountType.validationRules;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.problem;
  }
}
