import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { createRetryWindows } from '#server/calls/retryWindow.ts';
import type { OnSpan } from '#server/calls/spans.ts';
import { createAskInOrder } from '#server/companies/answers.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { scopesIn } from '#server/companies/companyList.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { scopeHeader } from '#contract/constants.ts';
import { userOf } from '#server/http/user.ts';
import type { Metrics } from '#server/ops/prometheus.ts';
import type { SettingValues } from '#server/storage/settings.ts';
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
    ...{ clock, newId, log },
  };
  const workspaces = new LRUCache<string, Pick<CompanyContext, 'config' | 'upstream' | 'timeline'>>({
    max: mostWorkspaces,
    memoMethod(workspace) {
      const own = config.workspaces?.upstreamOf(workspace) ?? config.upstream;
      return { config: { upstream: own }, upstream: upstream.of(own), timeline: timelines.of(workspace) };
    },
  });

  /** Returns the context of a company, given the name of its scope. */
  const contextAt = (workspace: string, scope: string, settings?: SettingValues): CompanyContext => ({
    ...shared,
    ...workspaces.memo(workspace),
    scope,
    store: storeAt(storage, workspace, scope, settings),
  });

  return {
    contextAt,
    /** Like `contextAt`; '' names the current company. Throws `company-unknown` if there is no such company. */
    contextIn: async (workspace: string, named: string) =>
      contextAt(workspace, (await scopesIn(storage, workspace).known(named)).scope),
    /**
     * Returns the context of the company that a request names. Throws `company-unknown` if there is no such company. A
     * request that only reads uses the settings as they were then; a write may wait for others first, and reads them anew.
     */
    companyOf: async (ctx: Context) => {
      const { workspace } = userOf(ctx);
      const { scope, settings } = await scopesIn(storage, workspace).known(ctx.get(scopeHeader));
      return contextAt(workspace, scope, ctx.method === 'GET' ? settings : undefined);
    },
    upstreamOf: (workspace: string) => workspaces.memo(workspace).config.upstream,
  };
}
