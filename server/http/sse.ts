import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';

/** Time (ms) after which a stream is closed, so that users must prove again that they may read it. */
const maximumDuration = 5 * 60_000;
/** Interval (ms) of heartbeats, which show proxies that the connection is in use. */
const heartbeatInterval = 15_000;
/** Time (ms) after which a browser reconnects. */
const reconnectDelay = 1000;

/**
 * Answers with server-sent events until the client leaves, for at most five minutes. `most`: maximum number of
 * characters buffered for a client that does not read; beyond it, the connection is closed. Calls `onClose` once, at the
 * end.
 */
export function eventStream(
  ctx: Context,
  { clock, log }: { clock: Clock; log: Logger },
  { beat, most, onClose }: { beat: string; most: number; onClose: () => void },
): { send: (text: string) => void; end: () => void } {
  const stream = new PassThrough();
  stream.on('error', (error) => log.debug({ err: error }, 'a page no longer follows'));
  const send = (text: string) => {
    stream.write(text);
    if (stream.writableLength > most) stream.destroy();
  };
  let heartbeatTimer: unknown;
  const beatLater = () => {
    heartbeatTimer = clock.setTimeout(() => {
      send(beat);
      beatLater();
    }, heartbeatInterval);
  };
  beatLater();
  const ending = clock.setTimeout(() => stream.end(), maximumDuration);
  stream.once('close', () => {
    for (const timer of [heartbeatTimer, ending]) clock.clearTimeout(timer);
    onClose();
  });
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  ctx.body = stream;
  send(`retry: ${reconnectDelay}\n\n`);
  return { send, end: () => stream.end() };
}
