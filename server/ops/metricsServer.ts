import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { localUrl } from '#server/http/networks.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import type { Exposed } from './prometheus.ts';

const metricsPath = '/metrics';

/** The media types of both formats. Prometheus prefers the second; clients that accept anything get the first. */
const formats = {
  'text/plain': 'text/plain; version=0.0.4; charset=utf-8',
  'application/openmetrics-text': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;

/**
 * Converts to the older text format of Prometheus: counters have the names of their samples, and there is no end
 * marker.
 */
const plain = (openMetrics: string): string =>
  openMetrics
    .replaceAll(/^# HELP (\S+) (.*)\n# TYPE \1 counter$/gm, '# HELP $1_total $2\n# TYPE $1_total counter')
    .replace(/# EOF\n$/, '');

/**
 * Serves GET /metrics, and nothing else, on a port of its own (0 for any free one). Resolves with its URL; rejects with
 * Node's error if it cannot listen.
 */
export async function serveMetrics({ openMetrics }: Exposed, { host, port }: { host: string; port: number }) {
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.set({ 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'" });
    if (ctx.path !== metricsPath) {
      ctx.status = 404;
      ctx.body = `Metrics are at ${metricsPath}.\n`;
    } else if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      ctx.status = 405;
      ctx.body = 'Metrics are read by GET.\n';
    } else {
      // Media type parameters (version, escaping, charset) must not cause a refusal.
      ctx.req.headers.accept = ctx.get('Accept').replaceAll(/;\s*(version|escaping|charset)=[^;,]*/gi, '');
      const format = ctx.accepts(...Object.keys(formats)) === 'application/openmetrics-text' ? 'openMetrics' : 'plain';
      const text = await openMetrics();
      ctx.body = format === 'openMetrics' ? text : plain(text);
      ctx.set('Content-Type', formats[format === 'openMetrics' ? 'application/openmetrics-text' : 'text/plain']);
      ctx.set('Cache-Control', 'no-store');
      ctx.vary('Accept');
    }
  });
  const handle = app.callback();
  const server = createHttpServer((request, response) => void handle(request, response)).listen(port, host);
  await once(server, 'listening');
  return {
    url: localUrl(host, (server.address() as AddressInfo).port) + metricsPath, // it listens on a port
    async close(): Promise<void> {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}
