import { stringify } from '#contract/json.ts';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { RecordEvents } from '#server/companies/recordEvents.ts';
import { Failure } from '#server/failure.ts';
import type { Route } from '#server/http/routes.ts';
import { eventStream } from '#server/http/sse.ts';
import { userOf } from '#server/http/user.ts';
import type { Timelines } from '#server/timeline/timeline.ts';

/** The path of the event stream. */
export const eventsPath = '/api/events';

/** Maximum number of characters buffered for a client that does not read; beyond it, the connection is closed. */
const mostWaiting = 16 * 1024 * 1024;
/** Maximum number of streams of one user. */
const mostOfUser = 20;
/** Maximum number of streams of all users, unless configured. */
const usualStreams = 500;

const eventOf = (name: string, data: unknown): string => `event: ${name}\ndata: ${stringify(data)}\n\n`;

/**
 * Returns the route of the event stream of a workspace: `news` names a record that has changed, so that a polling page need not
 * wait for its next turn, `entry` carries a new entry of the timeline. Ends if events may have been missed.
 */
export function eventsRoute({
  recordEvents,
  timelines,
  config: { streams = usualStreams },
  clock,
  log,
}: {
  recordEvents: RecordEvents;
  timelines: Timelines;
  config: { streams?: number };
  clock: Clock;
  log: Logger;
}): Route {
  const byWorkspace = new Map<string, number>();
  let open = 0;

  /** Counts a stream; returns a function that uncounts it. Throws `rate-limited` if there are too many. */
  function counted(workspace: string): () => void {
    const own = byWorkspace.get(workspace) ?? 0;
    if (open >= streams || own >= mostOfUser)
      throw new Failure('rate-limited', 'Too many pages wait for news already; this one has to poll.', {
        retryAfter: 60,
      });
    open += 1;
    byWorkspace.set(workspace, own + 1);
    return () => {
      open -= 1;
      const remaining = (byWorkspace.get(workspace) ?? 0) - 1;
      if (remaining > 0) byWorkspace.set(workspace, remaining);
      else byWorkspace.delete(workspace);
    };
  }

  const answer: Route['answer'] = (ctx) => {
    const { workspace } = userOf(ctx);
    const releases = [counted(workspace)];
    const onClose = () => releases.forEach((release) => release());
    const { send, end } = eventStream(ctx, { clock, log }, { beat: eventOf('here', {}), most: mostWaiting, onClose });
    releases.push(
      recordEvents.subscribe(workspace, (id) => send(eventOf('news', { id })), end),
      timelines
        .of(workspace)
        .subscribe((entries) => send(entries.map((entry) => eventOf('entry', entry)).join('')), end),
    );
  };
  return { method: 'GET', path: eventsPath, answer };
}
