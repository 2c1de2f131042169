import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock as clock } from '#server/clock.ts';
import { runCommand } from '#server/command.ts';
import type { Config } from '#server/config/config.ts';
import { ConfigError } from '#server/config/configError.ts';
import { readConfig } from '#server/config/config.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { hasSecret, keyFileIn, StoreKeyError, storeKeysOf } from '#server/storage/keys.ts';
import { anyStore } from '#server/storage/knownStore.ts';
import { openStorage } from '#server/storage/open.ts';
import { BackupError } from './backup.ts';
import { askProgram } from './operatorSocket.ts';
import { startFailure } from './startFailure.ts';
import { runUserCommand, usage } from './userCommands.ts';
import type { Done } from './userCommands.ts';
import { createUsers } from './users.ts';

/** Opens the store for one command, beside servers if it is a database. */
async function runHere(config: Config, args: readonly string[]): Promise<Done> {
  // Nor is one made.
  if (config.storeKeys.length === 0 && !hasSecret(keyFileIn(config.dataDir)))
    throw new ConfigError(['STORE_KEY is missing: give the key of the store.']);
  const { keys } = storeKeysOf(config);
  const onError = () => undefined; // an unreadable record, or an idle connection broke
  try {
    const storage = await openStorage({ url: config.storeUrl, keys, clock, onError, known: anyStore });
    try {
      return await runUserCommand(createUsers({ storage, issuer: config.access?.issuer }), args);
    } finally {
      await storage.close();
    }
  } catch (error) {
    const sentence = startFailure(error, config);
    throw sentence === undefined ? error : new ConfigError([sentence]);
  }
}

async function run(args: readonly string[]): Promise<Done> {
  if (args.length === 0 || args.includes('--help')) return { code: 2, printed: usage };
  const config = readConfig();
  if (isSharedUrl(config.storeUrl)) return runHere(config, args);
  const file = config.storeUrl.slice('file:'.length);
  if (!existsSync(file)) throw new ConfigError([`There are no users: ${file} is missing.`]);
  return (await askProgram<Done>(file, { users: args })) ?? runHere(config, args);
}

async function main(args: readonly string[]): Promise<number> {
  const { code, printed, file } = await run(args);
  if (file) {
    if (existsSync(file.path)) throw new ConfigError([`${file.path} is there already: give another file.`]);
    writeFileSync(resolve(file.path), file.text, { mode: 0o600, flag: 'wx' });
  }
  process[code === 0 ? 'stdout' : 'stderr'].write(printed);
  return code;
}

await runCommand(main, [ConfigError, StoreKeyError, BackupError]);
