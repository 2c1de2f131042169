import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createContext } from '#server/context.ts';

it('work finds the value of the innermost run that it belongs to, whichever run ends first', async () => {
  const context = createContext<string>();
  const seen: (string | undefined)[] = [];
  const look = async (ms: number) => {
    await wait(ms);
    seen.push(context.get());
  };
  const outer = context.run('outer', async () => {
    await context.run('inner', () => look(1));
    await look(1);
    await look(30);
  });
  const short = context.run('short', () => look(5));
  const failing = context.run('failing', () => look(10).then(() => Promise.reject(new Error('it failed'))));
  await short;
  await expect(failing).rejects.toThrow('it failed');
  await outer;
  expect(seen).toHaveLength(5);
  expect(seen.toSorted()).toEqual(['failing', 'inner', 'outer', 'outer', 'short']);
  expect(context.get()).toBeUndefined();
  expect(await context.run('again', () => look(1).then(() => seen.at(-1)))).toBe('again');
});
