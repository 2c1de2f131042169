import { createSecretKey, randomBytes } from 'node:crypto';
import { afterEach } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openEngine } from '#server/store/open.ts';
import type { Engine, NewRow } from '#server/store/engine.ts';
import { createSeal } from '#server/store/seal.ts';

export const seal = createSeal([createSecretKey(randomBytes(32))]);

/** The engines that the present test has opened; closed at its end. */
export const opened: Engine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

/** Opens the engine of a store; it is closed at the end of the test. */
export async function openedEngine(url: string, errors: unknown[] = []): Promise<Engine> {
  const { engine } = await openEngine(url, seal, systemClock, (error) => errors.push(error));
  opened.push(engine);
  return engine;
}

/** A row to be stored. */
export const row = (key: string, value = `value of ${key}`, owner: string | null = null): NewRow => ({
  key,
  value,
  owner,
});
