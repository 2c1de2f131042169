import { vi } from 'vitest';
import { testConsole } from './console.ts';
import { temporaryFolder } from './store.ts';

type Settings = Omit<Parameters<typeof testConsole>[0], 'folder'>;

/** Three consoles of this process on one PostgreSQL database, with the settings of each. */
export async function severalConsoles(of: (index: number) => Settings) {
  vi.stubEnv('STORE', 'postgres');
  const folder = temporaryFolder();
  const one = await testConsole({ folder, ...of(0) });
  const [two, three] = [await testConsole({ folder, ...of(1) }), await testConsole({ folder, ...of(2) })];
  return [one, two, three] as const;
}
