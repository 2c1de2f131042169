import { parseConfig } from './config.ts';
import type { Config } from './config.ts';
import { loadEnvFile } from './envFile.ts';

/** Reads the configuration of this process from its environment and the file .env. Throws ConfigError. */
export function readConfig(program?: 'console' | 'sandbox'): Config {
  loadEnvFile();
  return parseConfig(process.env, program);
}
