import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './store.ts';

const require = createRequire(import.meta.url);

/** Lints an OpenAPI document; resolves to the linter's totals, `errors` and `warnings` among them. */
export async function lintOpenApi(document: object): Promise<unknown> {
  const folder = temporaryFolder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const linting = promisify(execFile)(
    process.execPath,
    [require.resolve('@redocly/cli/bin/cli.js'), 'lint', file, '--format=json'],
    { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  const { stdout } = await linting.catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { totals: unknown }).totals; // as its JSON format prints
}
