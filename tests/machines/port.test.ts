import { createActor, setup, toPromise } from 'xstate';
import { describe, expect, it } from 'vitest';
import { arrives, failureOf, fulfil, port, portsOf, supply, taken } from '#machines/port.ts';
import { failure } from '#tests/support/fixtures.ts';

const double = port<number, number>('reads', arrives('The double'));
const keep = port<string, void>('writes', taken('It is kept'));
const machine = setup({ actors: { double, keep } }).createMachine({
  initial: 'doubling',
  context: { doubled: 0 },
  states: { doubling: { invoke: { id: 'double', src: 'double', input: 21, onDone: 'doubled' } }, doubled: {} },
});

describe('a port', () => {
  it('fails with the name under which it is invoked when none was supplied', async () => {
    await expect(toPromise(createActor(keep, { id: 'keep', input: '' }).start())).rejects.toThrow(
      'No implementation was supplied for the port keep',
    );
  });

  it('gives what it was supplied with', async () => {
    const supplied = fulfil(double, (input) => Promise.resolve(input * 2));
    expect(await toPromise(createActor(supplied, { input: 21 }).start())).toBe(42);
  });

  it('says nothing about a request that was aborted because its state was left', async () => {
    let settled = false;
    const logic = fulfil(
      double,
      (_, signal) =>
        new Promise<number>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('canceled')));
        }),
    );
    // The promise itself, as the actor would hear it: a stopped actor could not tell.
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

describe('the ports of a machine', () => {
  it('are those it declares, with what each does and its words, also once they are supplied', () => {
    const supplied = supply(machine, { double: (input) => Promise.resolve(input * 2), keep: () => Promise.resolve() });
    for (const each of [machine, supplied])
      expect(Object.entries(portsOf(each)).map(([name, { declared }]) => [name, declared])).toEqual([
        ['double', { effect: 'reads', words: { answers: 'The double arrives', fails: 'The double does not arrive' } }],
        ['keep', { effect: 'writes', words: taken('It is kept') }],
      ]);
  });

  it('are all supplied, with what fits them', () => {
    const run = () => Promise.resolve(42);
    // @ts-expect-error -- a port is missing
    supply(machine, { double: run });
    // @ts-expect-error -- an answer of another type
    supply(machine, { double: () => Promise.resolve('42'), keep: () => Promise.resolve() });
    // @ts-expect-error -- a port that the machine does not declare
    supply(machine, { double: run, keep: () => Promise.resolve(), other: run });
    const actor = createActor(supply(machine, { double: run, keep: () => Promise.resolve() })).start();
    expect(actor.getSnapshot().value).toBe('doubling');
  });
});

describe('what a port rejects with', () => {
  it('stays a problem if it is one, and else becomes a fault of ours', () => {
    expect(failureOf(failure)).toBe(failure);
    const fault = { type: 'about:blank', title: 'Unexpected Application Error', status: 0, code: 'internal' };
    expect(failureOf(new Error('boom'))).toEqual({ ...fault, detail: 'boom' });
    expect(failureOf('boom')).toEqual({ ...fault, detail: 'boom' });
    expect(failureOf(null)).toEqual({ ...fault, detail: 'null' });
  });
});
