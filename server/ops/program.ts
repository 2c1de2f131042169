import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { complain, logFormat } from '#server/config/complain.ts';
import { ConfigError } from '#server/config/configError.ts';
import { readConfig } from '#server/config/config.ts';
import type { Config } from '#server/config/config.ts';
import { always, createLog, logNodesMessages } from './log.ts';
import { startFailure } from './startFailure.ts';

export interface Program {
  /** Where the program listens, once it does: URLs by their names in the log. */
  addresses: Readonly<Record<string, string>>;
  /** The same as sentences. */
  greeting: string;
  /** Tells proxies to use another server, while this one still serves; absent if none would be told. */
  drain?(): void;
  /** Stops once the current requests have ended. */
  close(): Promise<void>;
}

/** Maximum time (ms) from the end of draining to the end of the process: longer than the service's longest answer. */
const longestEnd = 120_000;

/**
 * Runs a program: reads the configuration from the environment and .env, and reports in one sentence what prevents the
 * start. On SIGTERM, SIGINT or SIGHUP, closes the program and exits with code 0, after SIGTERM with a time to drain before;
 * on a second signal, or if that takes very long, exits at once. Prints a message for every exit.
 */
export async function run(
  start: (config: Config, log: Logger) => Promise<Program>,
  which: 'console' | 'sandbox' = 'console',
): Promise<void> {
  // On few cores, collecting young garbage in parallel costs more CPU time than it saves.
  setFlagsFromString('--no-parallel-scavenge');
  try {
    const config = readConfig(which);
    const log = createLog(config);
    // Sentences go to stdout when it is for a person; logs go to stderr.
    const isText = logFormat() === 'text';
    if (!isText) logNodesMessages(log);
    if (config.unused)
      log.warn({ variables: config.unused }, 'UPSTREAM is sandbox: these variables of the live service are not used');
    const program = await start(config, log).catch((error: unknown) => {
      const sentence = startFailure(error, config);
      throw sentence === undefined ? error : new ConfigError([sentence]);
    });
    const tell = (why: string) => {
      if (isText) process.stderr.write(`Ending, because ${why}; what is under way is finished first.\n`);
      else always(log).info({ why }, 'ending');
    };
    endOnSignal(program, { drainTime: config.drainTime, tell, log });
    if (isText) process.stdout.write(`${program.greeting}\n`);
    else always(log).info(program.addresses, 'started');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.message);
    process.exit(1);
  }
}

/** Descriptions of the signals, for the last line printed. */
const signals = {
  SIGTERM: 'SIGTERM was received',
  SIGINT: 'SIGINT was received',
  // Node receives this signal even under nohup, and by default ends without a message.
  SIGHUP: 'the terminal was closed (SIGHUP)',
} as const satisfies Partial<Record<NodeJS.Signals, string>>;
type Signal = keyof typeof signals;

/** `drainTime` in ms; `tell` prints why the program ends. */
function endOnSignal(
  program: Program,
  { drainTime, tell, log }: { drainTime: number; tell: (why: string) => void; log: Logger },
): void {
  // The program continues if the reader of its output has ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const names = Object.keys(signals) as Signal[]; // exactly the object's keys
  const endBecause = async (why: string, drains = false) => {
    for (const name of names) process.off(name, end);
    tell(why);
    if (drains && program.drain && drainTime > 0) {
      program.drain();
      await wait(drainTime);
    }
    setTimeout(() => {
      log.error('ended before everything under way was finished');
      process.exit(1);
    }, longestEnd).unref();
    await program.close();
    process.exit(0);
  };
  // A person who presses Ctrl+C has no proxy to be told.
  const end = (signal: Signal) => void endBecause(signals[signal], signal === 'SIGTERM');
  for (const name of names) process.on(name, end);
}
