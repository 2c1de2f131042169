import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('#app/client/client.ts', () => ({ call: () => Promise.resolve({ data: [] }) }));

beforeEach(() => vi.resetModules());
afterEach(() => vi.useRealTimers());

/** A reading with a loader of the compiler in place of the real one. */
async function definitionsWith(loadCompiler: () => Promise<void>) {
  vi.doMock('#rules/pattern.ts', () => ({ loadCompiler }));
  const { definitions } = await import('#app/effects/definitions.ts');
  vi.useFakeTimers(); // modules are loaded by real ones
  return { reading: definitions('getProviders', {}).catch((error: unknown) => error) };
}

describe('reading definitions', () => {
  it('resolves to the answer once the compiler of their regexes is loaded', async () => {
    let arrive = () => {};
    let answered = false;
    const { reading } = await definitionsWith(() => new Promise((resolve) => (arrive = resolve)));
    void reading.then(() => (answered = true));
    await vi.advanceTimersByTimeAsync(1000);
    expect(answered).toBe(false);
    arrive();
    expect(await reading).toEqual({ data: [] });
  });

  it.each([
    ['is missing', () => Promise.reject(new Error('404')), '404'],
    ['never arrives', () => new Promise<void>(() => {}), 'No response within 120 s'],
  ])('rejects with "Loading chunk failed" if the compiler %s (behaviour 8.5)', async (_, load, cause) => {
    const { reading } = await definitionsWith(load);
    await vi.advanceTimersByTimeAsync(121_000);
    expect(await reading).toMatchObject({
      title: 'Loading chunk failed',
      code: 'console-unreachable',
      detail: expect.stringContaining(cause) as string,
    });
  });
});

describe('a regex of a provider', () => {
  it('that is checked before its compiler is loaded is an error, not a value that passes', async () => {
    vi.doUnmock('#rules/pattern.ts');
    const { loadCompiler, patternOf } = await import('#rules/pattern.ts');
    expect(() => patternOf('^a+$')).toThrow('before loadCompiler has ended');
    await loadCompiler();
    expect(patternOf('^a+$').test?.('b')).toBe(false);
  });
});
