import Koa from 'koa';
import type { Logger } from 'pino';
import { trustProxies } from './trustedProxies.ts';

/** Codes of Node's errors for an answer whose client has closed the connection. */
const aborted = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

/** Whether an answer failed only because its client hung up, as a page does that is closed or reloaded. */
const isClientAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && aborted.includes(String(error.code));

/**
 * Creates an application that logs answers which could not be sent. `proxies`: addresses and networks of proxies whose
 * X-Forwarded headers are trusted.
 */
export function createKoa(log: Pick<Logger, 'debug' | 'warn'>, proxies?: readonly string[]): Koa {
  const app = new Koa();
  trustProxies(app, proxies);
  app.on('error', (error: unknown) => {
    log[isClientAborted(error) ? 'debug' : 'warn']({ err: error }, 'an answer could not be sent');
  });
  return app;
}
