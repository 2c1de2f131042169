import { existsSync } from 'node:fs';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { ConfigError, parseConfig } from './config.ts';
import type { Config } from './config.ts';
import { startFailure } from './startFailure.ts';

export interface Program {
  /** Printed once it listens. */
  greeting: string;
  /** Finishes what is in flight. */
  close(): Promise<void>;
}

/**
 * Runs a program: configuration from the environment and .env, one sentence for each thing that prevents the start,
 * and an orderly end with exit code 0 on SIGTERM or SIGINT (a second signal ends it at once).
 */
export async function run(start: (config: Config, log: Logger) => Promise<Program>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile();
    const config = parseConfig(process.env);
    // To stderr: stdout is for the address.
    const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
    const program = await start(config, log).catch((error: unknown) => {
      const sentence = startFailure(error, config);
      throw sentence === undefined ? error : new ConfigError([sentence]);
    });
    process.stdout.write(`${program.greeting}\n`);
    const end = () => void program.close().then(() => process.exit(0));
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
