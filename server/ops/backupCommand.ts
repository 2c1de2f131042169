import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { BackupError, copyDatabase, filesOf } from './backup.ts';
import { askProgram } from './operatorSocket.ts';
import { UseError } from '#rules/useError.ts';
import { runCommand } from '#server/command.ts';
import { ConfigError } from '#server/config/configError.ts';
import { readConfig } from '#server/config/config.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';

const usage = `Usage: npm run backup -- FOLDER
Copies the SQLite files of console and sandbox into FOLDER, which is made, while they run or not. Keys are not copied.`;

/**
 * Copies each existing file of the configuration; returns the exit status. Throws UseError, ConfigError or BackupError.
 */
async function backUp([folder, ...more]: readonly string[]): Promise<number> {
  if (folder === undefined || folder.startsWith('-') || more.length > 0) throw new UseError(usage);
  const config = readConfig();
  if (isSharedUrl(config.storeUrl))
    throw new BackupError('STORE_URL names a PostgreSQL database: copy it with pg_dump. Nothing was copied.');
  const files = filesOf(config, true).filter((file) => existsSync(file));
  if (files.length === 0)
    throw new BackupError(
      `There is nothing to copy: neither STORE_URL nor DATA_DIR (${JSON.stringify(config.dataDir)}) has an SQLite file.`,
    );
  for (const file of files) {
    const to = join(resolve(folder), basename(file));
    if (!(await askProgram(file, { to }))) await copyDatabase(file, to);
    process.stdout.write(`${to}: ${Math.ceil(statSync(to).size / 1000)} kB\n`);
  }
  if (config.sandboxStoreUrl !== undefined)
    process.stderr.write('SANDBOX_STORE_URL names a PostgreSQL database: copy it with pg_dump.\n');
  return 0;
}

await runCommand(backUp, [ConfigError, BackupError]);
