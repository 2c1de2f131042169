import { onTestFinished, vi } from 'vitest';
import { testConsole } from './console.ts';
import { temporaryFolder } from './store.ts';

type Settings = Omit<Parameters<typeof testConsole>[0], 'folder'>;

/** Lets the stores of this test be in PostgreSQL, and no others: files share their process. */
export function storesInPostgres(): void {
  vi.stubEnv('STORE', 'postgres');
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Three consoles of this process on one PostgreSQL database, with the settings of each. */
export async function severalConsoles(of: (index: number) => Settings) {
  storesInPostgres();
  const folder = temporaryFolder();
  const one = await testConsole({ folder, ...of(0) });
  const [two, three] = [await testConsole({ folder, ...of(1) }), await testConsole({ folder, ...of(2) })];
  return [one, two, three] as const;
}
