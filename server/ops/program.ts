import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { systemClock } from '#server/clock.ts';
import { ConfigError } from '#server/config/configError.ts';
import { readConfig } from '#server/config/config.ts';
import type { Config } from '#server/config/config.ts';
import { printable } from '#rules/printable.ts';
import { secretsOfProxies } from '#server/http/outgoingProxy.ts';
import { maskAll } from '#server/mask.ts';
import { logThrottle } from './logThrottle.ts';
import { startFailure } from './startFailure.ts';
import { passwordIn } from '#server/storage/databaseUrl.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { version } from '#server/version.ts';

export interface Program {
  /** Printed once the program listens. */
  greeting: string;
  /** Stops once the current requests have ended. */
  close(): Promise<void>;
}

/**
 * Runs a program: reads the configuration from the environment and .env, and reports in one sentence what prevents the
 * start. On SIGTERM, SIGINT or SIGHUP, and when a process that started it over a channel ends, closes the program and
 * exits with code 0; on a second signal exits at once. Prints a message for every exit.
 */
export async function run(
  start: (config: Config, log: Logger) => Promise<Program>,
  which: 'console' | 'sandbox' = 'console',
): Promise<void> {
  // On few cores, collecting young garbage in parallel costs more CPU time than it saves.
  setFlagsFromString('--no-parallel-scavenge');
  const endAtOnce = () => process.exit(1);
  if (isAbandoned()) endAtOnce();
  process.once('disconnect', endAtOnce);
  try {
    const config = readConfig(which);
    const databases = [config.storeUrl, config.sandboxStoreUrl ?? ''];
    // Logs go to stderr; stdout is for the address.
    const mask = maskAll([
      ...[...(config.live ? secretsOf(config.live) : []), ...databases.flatMap(passwordIn)],
      ...(config.access?.clientSecret === undefined ? [] : [config.access.clientSecret]),
      ...secretsOfProxies(config.proxies),
    ]);
    const log = pino(
      {
        level: config.logLevel,
        base: { pid: process.pid, hostname: hostname(), version },
        hooks: { streamWrite: mask, logMethod: logThrottle(systemClock) },
      },
      pino.destination({ fd: 2, sync: true }),
    );
    if (config.unused)
      log.warn({ variables: config.unused }, 'UPSTREAM is sandbox: these variables of the live service are not used');
    const program = await start(config, log).catch((error: unknown) => {
      const sentence = startFailure(error, config);
      throw sentence === undefined ? error : new ConfigError([sentence]);
    });
    process.off('disconnect', endAtOnce);
    endOnSignal(program);
    process.stdout.write(`${program.greeting}\n`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${printable(error.message)}\n`);
    process.exit(1);
  }
}

/** Whether this process was started over a channel by one that has ended. */
const isAbandoned = (): boolean => process.send !== undefined && !process.connected;

/** Descriptions of the signals, for the last line printed. */
const signals = {
  SIGTERM: 'SIGTERM was received',
  SIGINT: 'SIGINT was received',
  // Node receives this signal even under nohup, and by default ends without a message.
  SIGHUP: 'the terminal was closed (SIGHUP)',
} as const satisfies Partial<Record<NodeJS.Signals, string>>;
type Signal = keyof typeof signals;

function endOnSignal(program: Program): void {
  // The program continues if the reader of its output has ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const names = Object.keys(signals) as Signal[]; // exactly the object's keys
  const endBecause = (why: string) => {
    for (const name of names) process.off(name, end);
    process.off('disconnect', endWithStarter);
    process.stderr.write(`Ending, because ${why}; what is under way is finished first.\n`);
    void program.close().then(() => process.exit(0));
  };
  const end = (signal: Signal) => endBecause(signals[signal]);
  const endWithStarter = () => endBecause('the process that started it has ended');
  for (const name of names) process.on(name, end);
  // Only a process that was started over a channel has one.
  process.on('disconnect', endWithStarter);
}
