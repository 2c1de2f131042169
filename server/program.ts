import { existsSync } from 'node:fs';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { ConfigError, parseConfig } from './config.ts';
import type { Config } from './config.ts';
import { maskOf, maskTokens } from './mask.ts';
import { startFailure } from './startFailure.ts';
import { secretsOf } from './upstream/config.ts';

export interface Program {
  /** Printed once the program listens. */
  greeting: string;
  /** Stops after the requests under way have ended. */
  close(): Promise<void>;
}

/**
 * Runs a program: reads the configuration from the environment and .env, says in one sentence what prevents the start,
 * and ends in order with exit code 0 on SIGTERM, SIGINT or SIGHUP (at once on a second signal). It never ends without
 * saying why.
 */
export async function run(start: (config: Config, log: Logger) => Promise<Program>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile();
    const config = parseConfig(process.env);
    // Logs go to stderr; stdout is for the address.
    const mask = maskOf(config.live ? secretsOf(config.live) : []);
    const log = pino(
      { level: config.logLevel, hooks: { streamWrite: (line) => maskTokens(mask(line)) } },
      pino.destination({ fd: 2, sync: true }),
    );
    const program = await start(config, log).catch((error: unknown) => {
      const sentence = startFailure(error, config);
      throw sentence === undefined ? error : new ConfigError([sentence]);
    });
    endOnSignal(program);
    process.stdout.write(`${program.greeting}\n`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Meanings of the signals, for the last line printed. */
const signals = {
  SIGTERM: 'SIGTERM was received',
  SIGINT: 'SIGINT was received',
  // Node receives this signal even under nohup, and would end silently.
  SIGHUP: 'the terminal was closed (SIGHUP)',
} as const satisfies Partial<Record<NodeJS.Signals, string>>;
type Signal = keyof typeof signals;

function endOnSignal(program: Program): void {
  // The reader of the output may have gone; that is no reason to fail.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const names = Object.keys(signals) as Signal[]; // exactly these keys
  const end = (signal: Signal) => {
    for (const name of names) process.off(name, end);
    process.stderr.write(`Ending, because ${signals[signal]}; what is under way is finished first.\n`);
    void program.close().then(() => process.exit(0));
  };
  for (const name of names) process.on(name, end);
}
