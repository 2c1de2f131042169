import { createActor, setup, toPromise } from 'xstate';
import { describe, expect, it } from 'vitest';
import {
  readOneTexts,
  failureOf,
  supplyEffect,
  effect,
  effectsOf,
  provideEffects,
  actionTexts,
} from '#machines/lib/effect.ts';
import { failure } from '#tests/support/fixtures.ts';

const double = effect<number, number>('reads', readOneTexts('The double'));
const keep = effect<string, void>('writes', actionTexts('It is kept'));
const machine = setup({ actors: { double, keep } }).createMachine({
  initial: 'doubling',
  context: { doubled: 0 },
  states: { doubling: { invoke: { id: 'double', src: 'double', input: 21, onDone: 'doubled' } }, doubled: {} },
});

describe('an effect', () => {
  it('fails with its invocation’s name if it has no implementation', async () => {
    await expect(toPromise(createActor(keep, { id: 'keep', input: '' }).start())).rejects.toThrow(
      'No implementation was supplied for the effect keep',
    );
  });

  it('returns the result of its implementation', async () => {
    const supplied = supplyEffect(double, (input) => Promise.resolve(input * 2));
    expect(await toPromise(createActor(supplied, { input: 21 }).start())).toBe(42);
  });

  it('does not settle for a request that was aborted because its state was left', async () => {
    let settled = false;
    const logic = supplyEffect(
      double,
      (_, signal) =>
        new Promise<number>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('canceled')));
        }),
    );
    // Tests the promise itself, because a stopped actor emits nothing.
    const controller = new AbortController();
    const promise = (logic.config as (scope: unknown) => Promise<void>)({
      input: undefined,
      signal: controller.signal,
    }); // xstate keeps the creator there
    promise.then(
      () => (settled = true),
      () => (settled = true),
    );
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(settled).toBe(false);
  });
});

describe('the effects of a machine', () => {
  it('are those that it declares, with kind and texts, also with implementations', () => {
    const supplied = provideEffects(machine, {
      double: (input) => Promise.resolve(input * 2),
      keep: () => Promise.resolve(),
    });
    for (const each of [machine, supplied])
      expect(Object.entries(effectsOf(each)).map(([name, { declared }]) => [name, declared])).toMatchObject([
        ['double', { kind: 'reads', words: { answers: 'The double arrives', fails: 'The double does not arrive' } }],
        ['keep', { kind: 'writes', words: actionTexts('It is kept') }],
      ]);
  });

  it('must all be implemented with matching types', () => {
    const run = () => Promise.resolve(42);
    // @ts-expect-error -- a port is missing
    provideEffects(machine, { double: run });
    // @ts-expect-error -- an answer of another type
    provideEffects(machine, { double: () => Promise.resolve('42'), keep: () => Promise.resolve() });
    // @ts-expect-error -- a port that the machine does not declare
    provideEffects(machine, { double: run, keep: () => Promise.resolve(), other: run });
    const actor = createActor(provideEffects(machine, { double: run, keep: () => Promise.resolve() })).start();
    expect(actor.getSnapshot().value).toBe('doubling');
  });
});

describe('the rejection of an effect', () => {
  it('is kept if it is a problem, and else becomes an internal error', () => {
    expect(failureOf(failure)).toBe(failure);
    const fault = { type: 'about:blank', title: 'Unexpected Application Error', status: 0, code: 'internal' };
    expect(failureOf(new Error('boom'))).toEqual({ ...fault, detail: 'boom' });
    expect(failureOf('boom')).toEqual({ ...fault, detail: 'boom' });
    expect(failureOf(null)).toEqual({ ...fault, detail: 'null' });
  });
});
