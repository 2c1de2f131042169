import { strToU8, zipSync } from 'fflate';
import type { Context } from 'koa';
import { collectionPaths } from '#contract/exports.ts';
import { stringify } from '#contract/json.ts';
import { brunoOf } from '#server/timeline/collection/bruno.ts';
import { collectionOf } from '#server/timeline/collection/collection.ts';
import { httpFileOf } from '#server/timeline/collection/httpFile.ts';
import { postmanOf } from '#server/timeline/collection/postman.ts';
import { faultRuleOf, testFileOf, testName } from '#server/timeline/collection/testFile.ts';
import { wayOf, wayTo } from '#server/timeline/collection/way.ts';
import { notTested, testedCall } from '#rules/replay.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { Route } from '#server/http/routes.ts';
import { validate } from '#server/http/validate.ts';
import { paginate } from '#server/http/pagination.ts';
import { bundleOf } from '#server/timeline/bundle.ts';
import { harOf } from '#server/timeline/har.ts';
import { collectionQuery, type TimelineEntry, type TimelineMessage } from '#contract/timeline.ts';
import { defaultEntries, type Timeline } from '#server/timeline/timeline.ts';
import { secretsIn } from '#server/companies/settings.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { requireKnownParameters } from '#server/http/declaration.ts';
import { factsHandlers } from './facts.ts';
import { creatingInteraction } from './createdResources.ts';
import type { Handlers } from './handlers.ts';
import { labRules } from './lab.ts';
import { version } from '#server/version.ts';

/** Returns the entries that a filter may match: those about an interaction or a record outlast the timeline. */
async function entriesFor(
  timeline: Timeline,
  { interaction, text }: TimelineFilter,
): Promise<readonly TimelineEntry[]> {
  const entries = await timeline.list();
  const about = interaction || text;
  const kept = about ? await timeline.about(about) : [];
  return kept.length === 0 ? entries : inOrder([...kept, ...entries]);
}

const idsIn = (text: string): string[] => [...new Set(text.match(/[\da-f]{8}-[\da-f-]{27}/gi) ?? [])];

/** An entry without the headers and bodies of its messages. */
const briefly = (entry: TimelineEntry): TimelineEntry => ({
  ...entry,
  request: withoutContent(entry.request),
  response: withoutContent(entry.response),
  baseString: '',
});

const withoutContent = ({ bytes }: TimelineMessage): TimelineMessage => ({ headers: {}, body: '', bytes, truncated: true }); // prettier-ignore

/** The handler for the entries of the timeline, newest first. */
export const timelineHandlers = {
  async getTimeline({ timeline, store }, { query }) {
    const { text, limit, after, brief } = query;
    const found = matching(await entriesFor(timeline, query), query).reverse();
    const page = brief
      ? paginate(found.map(briefly), (each) => each.id, { limit, after }, defaultEntries)
      : paginate(found, (each) => each.id, { limit, after });
    const createdBy = text ? await creatingInteraction(store, text) : '';
    return { ...page, ...(createdBy !== '' && { createdBy }) };
  },
  async getTest(context, { params: { entryId }, query: { runner } }) {
    const { timeline, config } = context;
    const entries = await knownEntries(context);
    const entry = entries.find(({ id }) => id === entryId);
    const operation = entry && testedCall(entry);
    if (!entry || !operation) throw new Failure('not-found', `Entry ${entryId} is no recorded write of the service.`);
    const refuse = (why: string) => new Failure('invalid-request', why);
    const whyNot = notTested(entry, config.upstream.environment !== 'sandbox');
    if (whyNot) throw refuse(whyNot);
    const about = await Promise.all(idsIn(`${entry.url} ${entry.request.body}`).map((id) => timeline.about(id)));
    const way = wayTo(entry, inOrder([...about.flat(), ...entries]));
    const collection = collectionOf([...way, entry]);
    const lacking = collection.given.filter((name) => !['apiKey', 'signingKey', 'userToken'].includes(name));
    if (lacking.length > 0) throw refuse('The calls that created what it names are no longer recorded.');
    const rule = faultRuleOf(entry, operation, await labRules(context));
    const repeated = { entry, operation, collection, rule, clientId: config.upstream.clientId };
    return { data: { name: testName(repeated), text: testFileOf(repeated, runner) } };
  },
} satisfies Partial<Handlers>;

/** Paths for exporting the timeline; these are not JSON calls and therefore not in the contract's list. */
export const timelinePaths = {
  har: '/api/timeline.har',
  zip: '/api/timeline.zip',
} as const;

/** What an export selects, by its query. Throws Failure if that is not as declared. */
function selectionIn({ query }: Context) {
  const { data, faults } = validate(collectionQuery, requireKnownParameters(query, collectionQuery));
  if (faults) throw new Failure('invalid-request', 'The filter of the timeline is not valid.', { errors: faults });
  return data;
}

const inOrder = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort(
    (one, other) => Number(one.id) - Number(other.id),
  );

/** All entries in their order, and those that the timeline has dropped and are kept with the company's records. */
async function knownEntries({ settings: ends, timeline }: CompanyContext): Promise<TimelineEntry[]> {
  const ids = [ends.organisationId, ends.companyId, ends.accountId, ends.dataSetId, ends.subscriptionId, ends.batchId];
  const kept = await Promise.all(ids.filter((id) => id !== '').map((id) => timeline.about(id)));
  return inOrder([...kept.flat(), ...(await timeline.list())]);
}

/** The calls on the company's way. */
async function companysWay(context: CompanyContext): Promise<TimelineEntry[]> {
  const calls = (await knownEntries(context)).filter(({ kind }) => kind === 'service');
  return wayOf(calls, context.settings);
}

/** Name of the collections, and of the files without their ending. */
const collectionName = 'Payments out';

/** Returns the console's origin as the browser sees it. */
const originOf = ({ protocol, host }: Context): string => `${protocol}://${host}`;

/** Returns the routes for exporting the timeline. `companyOf` throws if the caller has no workspace. */
export function timelineRoutes(companyOf: (ctx: Context) => Promise<CompanyContext>): Route[] {
  const download = (ctx: Context, name: string, type: string, content: string | Buffer) => {
    ctx.set({ 'Content-Disposition': `attachment; filename="${name}"`, 'Cache-Control': 'no-store' });
    ctx.type = type;
    ctx.body = content;
  };

  async function har(ctx: Context): Promise<void> {
    requireKnownParameters(ctx.query);
    const { timeline } = await companyOf(ctx);
    download(ctx, 'timeline.har', 'application/json', stringify(harOf(await timeline.list(), originOf(ctx), version)));
  }

  /** The selection as a collection: the calls of the service in their order. */
  const selected = async (ctx: Context) => {
    const context = await companyOf(ctx);
    const { of, ...filter } = selectionIn(ctx);
    if (of === 'company') return collectionOf(await companysWay(context));
    return collectionOf(matching(await entriesFor(context.timeline, filter), filter));
  };

  async function postman(ctx: Context): Promise<void> {
    const collection = postmanOf(await selected(ctx), collectionName);
    download(ctx, 'payments-out.postman_collection.json', 'application/json', JSON.stringify(collection, null, 2));
  }

  async function bruno(ctx: Context): Promise<void> {
    const files = Object.entries(brunoOf(await selected(ctx), collectionName));
    const folder = Object.fromEntries(files.map(([name, text]) => [`payments-out/${name}`, strToU8(text)]));
    download(ctx, 'payments-out.bruno.zip', 'application/zip', Buffer.from(zipSync(folder, { level: 1 })));
  }

  async function httpFile(ctx: Context): Promise<void> {
    download(ctx, 'payments-out.http', 'text/plain', httpFileOf(await selected(ctx), collectionName));
  }

  async function supportBundle(ctx: Context): Promise<void> {
    requireKnownParameters(ctx.query);
    const context = await companyOf(ctx);
    const stored = context.settings;
    const timeline = await context.timeline.list();
    const facts = await factsHandlers.getFacts(context);
    const bundle = bundleOf(
      {
        timeline,
        har: harOf(timeline, originOf(ctx), version),
        facts,
        rules: await rulesFor(context, facts.provider?.providerId, stored.acceptLanguage),
        versions: { console: version, node: process.version, platform: process.platform },
      },
      [...secretsOf(context.config.upstream), ...secretsIn(stored)],
    );
    download(ctx, 'support-bundle.zip', 'application/zip', bundle);
  }

  return [
    { method: 'GET', path: timelinePaths.har, answer: har },
    { method: 'GET', path: timelinePaths.zip, answer: supportBundle },
    { method: 'GET', path: collectionPaths.postman, answer: postman },
    { method: 'GET', path: collectionPaths.bruno, answer: bruno },
    { method: 'GET', path: collectionPaths.httpFile, answer: httpFile },
  ];
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
