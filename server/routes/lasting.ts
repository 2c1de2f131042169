import { LRUCache } from 'lru-cache';
import type { Context } from 'koa';
import { scopeHeader } from '#contract/constants.ts';
import type { Deps } from '#server/deps.ts';
import type { Response } from './perform.ts';

/** The answer to a read; valid while `holds` resolves with true. */
export interface LastingAnswer {
  /** The scope that was read. */
  scope: string;
  /** The answer as it is sent and recorded. */
  response: Response;
  /** The body as it is sent. */
  sent: string | Buffer;
  holds: () => Promise<boolean>;
}

/** Maximum size in characters of all cached answers, and of one; the overhead counted for each. */
const most = 8 * 1024 * 1024;
const longest = 1024 * 1024;
const beside = 1024;
/**
 * Length (characters) up to which sending a text is faster than sending its bytes, because it is sent with the headers.
 */
const longestText = 16 * 1024;

/** Cache of serialised answers by URL, workspace and named scope. */
export function createLastingAnswers() {
  const kept = new LRUCache<string, LastingAnswer>({
    maxSize: most,
    maxEntrySize: longest,
    sizeCalculation: ({ response }, key) => beside + key.length + 2 * response.body.length,
  });
  // Workspaces and URLs contain no blank.
  const keyOf = (workspace: string, ctx: Context) => `${workspace} ${ctx.get(scopeHeader)} ${ctx.url}`;
  return {
    /** Evicts the answers for a workspace. */
    letGo(workspace: string): void {
      for (const key of [...kept.keys()]) if (key.startsWith(`${workspace} `)) kept.delete(key);
    },
    async get(workspace: string, ctx: Context): Promise<LastingAnswer | undefined> {
      const found = kept.get(keyOf(workspace, ctx));
      return found && (await found.holds()) ? found : undefined;
    },
    async keep(workspace: string, ctx: Context, answer: Omit<LastingAnswer, 'sent'>): Promise<void> {
      if (!(await answer.holds().catch(() => false))) return;
      const { body } = answer.response;
      kept.set(keyOf(workspace, ctx), { ...answer, sent: body.length > longestText ? Buffer.from(body) : body });
    },
  };
}
export type LastingAnswers = ReturnType<typeof createLastingAnswers>;

/**
 * Resolves with a function that resolves with true as long as a repeated read would give the same result: since then
 * nothing was written to the workspace, nothing was sent to the service, and none of its cached answers changed or
 * expired.
 */
export async function unchangedSince({
  store,
  upstream,
}: Pick<Deps, 'store' | 'upstream'>): Promise<() => Promise<boolean>> {
  const [unwritten, unasked] = [await store.unwritten(), upstream.unchanged()];
  return async () => unasked() && (await unwritten());
}
