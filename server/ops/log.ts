import { hostname } from 'node:os';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { printableJson } from '#rules/printable.ts';
import { callContext } from '#server/calls/callContext.ts';
import { systemClock } from '#server/clock.ts';
import type { Config } from '#server/config/config.ts';
import { secretsOfProxies } from '#server/http/outgoingProxy.ts';
import { maskAll } from '#server/mask.ts';
import { passwordIn } from '#server/storage/databaseUrl.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { version } from '#server/version.ts';
import { logThrottle } from './logThrottle.ts';

/** The secrets of a configuration, which no line may contain. */
function secretsIn({ live, access, storeUrl, sandboxStoreUrl = '', sandboxSecret, proxies, traces }: Config): string[] {
  const given = [access?.clientSecret, sandboxSecret].filter((each) => each !== undefined);
  return [
    ...(live ? secretsOf(live) : []),
    ...[storeUrl, sandboxStoreUrl].flatMap(passwordIn),
    ...given,
    ...secretsOfProxies(proxies),
    ...Object.values(traces?.headers ?? {}),
  ];
}

/** The ids of the request that a line is about. */
function lineIds(): Record<string, string> {
  const ids = callContext()?.ids;
  return ids ? { requestId: ids.requestId, traceId: ids.trace.traceId } : {};
}

/** Creates the log of this process: lines of JSON on stderr (docs/production.md, "Logs"), with secrets masked. */
export function createLog(config: Config): Logger {
  const mask = maskAll(secretsIn(config));
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid, hostname: hostname(), version },
      formatters: { level: (level) => ({ level }) },
      mixin: lineIds,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: { streamWrite: (line) => printableJson(mask(line)), logMethod: logThrottle(systemClock) },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** Returns a log whose lines of level `info` are printed whatever LOG_LEVEL is, except with `silent`. */
export const always = (log: Logger): Logger =>
  log.level === 'silent' ? log : log.child({}, { level: log.isLevelEnabled('info') ? log.level : 'info' });

/** Has Node's own messages, about warnings and errors that nobody catches, printed as lines of the log. */
export function logNodesMessages(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'an error that nobody caught');
    process.exit(1);
  });
}
