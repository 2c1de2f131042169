import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { failureOf, fulfil, port } from '#machines/port.ts';
import { failure } from '#tests/support/material.ts';

describe('a port', () => {
  it('fails with its own name when nobody supplied it', async () => {
    const actor = createActor(port<void, void>('loadFacts'));
    const said = new Promise((resolve) => actor.subscribe({ error: resolve }));
    actor.start();
    expect(await said).toMatchObject({ message: 'Nobody supplied the port loadFacts' });
  });

  it('gives what it was supplied with', async () => {
    const actor = createActor(
      fulfil(port<number, number>('double'), (input) => Promise.resolve(input * 2)),
      { input: 21 },
    );
    const done = new Promise((resolve) => actor.subscribe({ complete: () => resolve(actor.getSnapshot().output) }));
    actor.start();
    expect(await done).toBe(42);
  });

  it('says nothing about a request that was aborted because its state was left', async () => {
    let settled = false;
    const logic = fulfil(
      port<void, void>('ask'),
      (_, signal) =>
        new Promise<void>((_resolve, reject) => {
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

describe('what a port rejects with', () => {
  it('stays a problem if it is one, and else becomes a fault of ours', () => {
    expect(failureOf(failure)).toBe(failure);
    const fault = { type: 'about:blank', title: 'Unexpected Application Error', status: 0, code: 'internal' };
    expect(failureOf(new Error('boom'))).toEqual({ ...fault, detail: 'boom' });
    expect(failureOf('boom')).toEqual({ ...fault, detail: 'boom' });
    expect(failureOf(null)).toEqual({ ...fault, detail: 'null' });
  });
});
