import type Router from '@koa/router';
import type { Context } from 'koa';
import { stringify } from '#contract/json.ts';
import { matching } from '#rules/timeline.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { pageOf } from '#server/http/pagination.ts';
import { bundleOf } from '#server/timeline/bundle.ts';
import { harOf } from '#server/timeline/har.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { creationOf } from '#server/companies/provenance.ts';
import { secretsIn, storedSettingsOf } from '#server/companies/settings.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { factsRoutes } from './facts.ts';
import type { Handlers, Workspace } from './handlers.ts';
import { version } from '../../package.json' with { type: 'json' };

/** Handlers for the entries of the timeline, newest first. */
export function timelineRoutes({ timeline, store }: CompanyContext) {
  /** The entries that a filter may match: those about a record outlast the timeline. */
  async function entriesFor(id: string | undefined): Promise<readonly TimelineEntry[]> {
    const entries = await timeline.list();
    const kept = id ? await timeline.about(id) : [];
    if (kept.length === 0) return entries;
    const byId = new Map([...kept, ...entries].map((entry) => [entry.id, entry]));
    return [...byId.values()].sort((one, other) => Number(one.id) - Number(other.id));
  }

  return {
    async getTimeline({ query }) {
      const { id, limit, after } = query;
      const page = pageOf(matching(await entriesFor(id), query).reverse(), (each) => each.id, { limit, after });
      const createdBy = id ? await creationOf(store, id) : '';
      return { ...page, ...(createdBy !== '' && { createdBy }) };
    },
  } satisfies Partial<Handlers>;
}

/** Paths for exporting the timeline; these are not JSON calls and therefore not in the contract's list. */
export const timelinePaths = {
  har: '/api/timeline.har',
  zip: '/api/timeline.zip',
} as const;

/** Returns the console's origin as the browser sees it. */
const originOf = ({ protocol, host }: Context): string => `${protocol}://${host}`;

/** Registers the routes for exporting the timeline. `depsOf` throws if the caller has no workspace. */
export function registerTimeline(router: Router, depsOf: (ctx: Context) => Promise<Workspace>): void {
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
