import type Router from '@koa/router';
import type { Context } from 'koa';
import { stringify } from '#contract/json.ts';
import { userOf } from '#server/http/user.ts';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { RecordEvents } from '#server/companies/recordEvents.ts';
import { Failure } from '#server/failure.ts';
import { escapeId } from '#server/escapeId.ts';
import { eventStream } from '#server/http/sse.ts';

/** The path of the event stream of changes that pages wait for. */
export const eventsPath = '/api/events';

/** Limits of a stream: the number of ids, and the length of an id in characters. */
const mostIds = 10;
const longestId = 200;
/** Maximum number of characters buffered for a client that does not read. */
const mostWaiting = 64 * 1024;
/** Maximum number of streams of one signed-in user. */
const mostOfUser = 20;
/** Maximum number of streams of all users, unless configured. */
const usualStreams = 500;

/** Returns an event that names what has changed; the page then reads it. */
export const recordsEvent = (id: string): string => `event: news\ndata: ${stringify({ id })}\n\n`;

/** Returns the ids in the query. Throws `invalid-request` unless there are one to ten. */
function idsIn({ query }: Context): string[] {
  const ids = [query['id'] ?? []].flat();
  const fits = ids.every((id) => id !== '' && id.length <= longestId && escapeId(id) === id);
  if (fits && ids.length > 0 && ids.length <= mostIds) return ids;
  throw new Failure('invalid-request', 'The query does not name what to wait for.', {
    errors: [{ path: 'id', message: `give 1 to ${mostIds} ids of at most ${longestId} characters` }],
  });
}

/**
 * Registers the event stream that announces changes to a message, subscription or batch, so that a polling page need
 * not wait for its next turn. Events contain only ids, which the page itself has sent.
 */
export function registerEvents(
  router: Router,
  {
    recordEvents,
    config: { streams = usualStreams },
    clock,
    log,
  }: { recordEvents: RecordEvents; config: { streams?: number }; clock: Clock; log: Logger },
): void {
  const byUser = new Map<string, number>();
  let open = 0;

  /** Counts a stream of a user; returns a function that uncounts it. Throws `rate-limited` if there are too many. */
  function counted({ workspace, session }: ReturnType<typeof userOf>): () => void {
    const own = byUser.get(workspace) ?? 0;
    // Without sign-in there is only one user, on this machine.
    if (open >= streams || (session !== undefined && own >= mostOfUser))
      throw new Failure('rate-limited', 'Too many pages wait for news already; this one has to poll.', {
        retryAfter: 60,
      });
    open += 1;
    byUser.set(workspace, own + 1);
    return () => {
      open -= 1;
      const remaining = (byUser.get(workspace) ?? 0) - 1;
      if (remaining > 0) byUser.set(workspace, remaining);
      else byUser.delete(workspace);
    };
  }

  router.get(eventsPath, (ctx) => {
    const user = userOf(ctx);
    const ids = idsIn(ctx);
    const discount = counted(user);
    const release = () => {
      leave();
      discount();
    };
    const beat = 'event: here\ndata: {}\n\n';
    const { send, end } = eventStream(ctx, { clock, log }, { beat, most: mostWaiting, left: release });
    const leave = recordEvents.follow(user.workspace, ids, (id) => send(recordsEvent(id)), end);
  });
}
