import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { createRetryWindows } from '#server/calls/retryWindow.ts';
import type { OnSpan } from '#server/calls/spans.ts';
import { createAskInOrder } from '#server/companies/answers.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { companiesIn } from '#server/companies/companyList.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { withDefaults, type Stored } from '#server/companies/settings.ts';
import { companyHeader } from '#contract/constants.ts';
import { userOf } from '#server/http/user.ts';
import type { Metrics } from '#server/ops/prometheus.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Timelines } from '#server/timeline/timeline.ts';
import type { Service } from '#server/upstream/client.ts';
import type { Workspaces } from '#server/upstream/config.ts';

/** Maximum number of workspaces whose clients, with their tokens, stay in memory. */
const mostWorkspaces = 1000;

/** What the contexts of all companies share. */
export interface ContextDeps extends Pick<CompanyContext, 'clock' | 'newId' | 'log'> {
  config: CompanyContext['config'] & {
    /** If present, each workspace has its own configuration; `upstream` is then that of the default workspace. */
    workspaces?: Workspaces;
  };
  storage: Storage;
  timelines: Timelines;
  upstream: Service;
  /** Absent if nothing is measured. */
  metrics?: Metrics;
  /** Absent if no traces are recorded. */
  onSpan?: OnSpan;
}

/**
 * Makes the contexts in which handlers are called. The service's client of a workspace, which holds its tokens and limits
 * its concurrent requests, is made at its first call.
 */
export function createContexts({ storage, timelines, upstream, config, clock, newId, log }: ContextDeps) {
  const shared = {
    retryWindow: createRetryWindows(clock),
    askInOrder: createAskInOrder(newId),
    clock,
    newId,
    log,
  };
  const workspaces = new LRUCache<string, Pick<CompanyContext, 'config' | 'upstream' | 'timeline'>>({
    max: mostWorkspaces,
    memoMethod(workspace) {
      const own = config.workspaces?.upstreamOf(workspace) ?? config.upstream;
      return { config: { upstream: own }, upstream: upstream.of(own), timeline: timelines.of(workspace) };
    },
  });

  const contextWith = (workspace: string, companyKey: string, settings: Stored): CompanyContext => ({
    ...shared,
    ...workspaces.memo(workspace),
    companyKey,
    settings,
    store: storeAt(storage, workspace, companyKey),
  });

  /**
   * Returns the context of the company whose key is named, or of the current one. Throws `company-unknown` if there is
   * no such company.
   */
  async function contextIn(workspace: string, named: string | undefined): Promise<CompanyContext> {
    const { companyKey, settings } = await companiesIn(storage, workspace).called(named);
    return contextWith(workspace, companyKey, withDefaults(settings));
  }

  return {
    contextIn,
    /** Returns the context of a company, whether it is kept or not. */
    contextAt: async (workspace: string, companyKey: string) =>
      contextWith(workspace, companyKey, withDefaults(await companiesIn(storage, workspace).read(companyKey))),
    /** Returns the context of the company that a request names. */
    companyOf: (ctx: Context) => contextIn(userOf(ctx).workspace, ctx.get(companyHeader) || undefined),
    upstreamOf: (workspace: string) => workspaces.memo(workspace).config.upstream,
  };
}
