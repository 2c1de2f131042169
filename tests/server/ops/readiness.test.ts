import { expect, it, vi } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { createReadiness, healthRoutes } from '#server/ops/readiness.ts';
import { createKoa } from '#server/http/koa.ts';
import { routerOf, routesOf } from '#server/http/routes.ts';
import { silent } from '#tests/support/console.ts';
import { listening } from '#tests/support/listen.ts';
import { storageIn, temporaryFolder } from '#tests/support/store.ts';

const up = () => Promise.resolve({ status: 'UP', httpStatus: 200 } as never);
const never = () => new Promise<never>(() => undefined);
const fails = () => Promise.reject(new Error('connect ECONNREFUSED'));
const says503 = () => Promise.resolve({ status: 'DOWN', httpStatus: 503 } as never);

/** Readiness of a console whose store works, by what other services do; time passes by `pass`. */
async function readinessWith(health: () => Promise<never>, askSignIn?: () => Promise<unknown>) {
  let passed = 0;
  const clock = {
    ...systemClock,
    steady: () => systemClock.steady() + passed,
    setTimeout: (run: () => void, ms: number) => systemClock.setTimeout(run, ms / 50),
  };
  const storage = await storageIn(temporaryFolder());
  const readiness = createReadiness({ storage, upstream: { health }, askSignIn, clock, log: silent });
  return { readiness, storage, pass: (ms: number) => (passed += ms) };
}

it.each([
  ['refuses connections', fails],
  ['answers 503', says503],
])('Readiness is 200 with the field upstream false while the service %s (behaviour 7.26)', async (_, health) => {
  const { readiness } = await readinessWith(health);
  const app = createKoa(silent);
  app.use(routesOf(routerOf(healthRoutes(readiness))));
  const handle = app.callback();
  const answer = await fetch(`${await listening((...exchange) => void handle(...exchange))}/readyz`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ store: true, upstream: false });
});

it('Readiness does not wait for a service that does not answer, and reports it once it is overdue', async () => {
  const { readiness, pass } = await readinessWith(never, never);
  expect(await readiness()).toEqual({ store: true });
  await expect.poll(() => (pass(1000), readiness())).toEqual({ store: true, upstream: false, signIn: false });
});

it('Readiness reports the sign-in service, which is asked once in 15 seconds', async () => {
  const ask = vi.fn<() => Promise<unknown>>(fails);
  const { readiness, pass } = await readinessWith(up, ask);
  for (let look = 0; look < 14; look += 1) {
    expect(await readiness()).toEqual({ store: true, upstream: true, signIn: false });
    pass(1000);
  }
  expect(ask).toHaveBeenCalledTimes(1);
  ask.mockResolvedValue(undefined);
  pass(1000);
  expect(await readiness()).toEqual({ store: true, upstream: true, signIn: true });
});

it('Readiness is 503 while the store cannot be written, whatever other services do (behaviour 7.26)', async () => {
  const { readiness, storage } = await readinessWith(up);
  vi.spyOn(storage, 'assertWritable').mockRejectedValue(new Error('disk full'));
  const app = createKoa(silent);
  app.use(routesOf(routerOf(healthRoutes(readiness))));
  const handle = app.callback();
  expect((await fetch(`${await listening((...exchange) => void handle(...exchange))}/readyz`)).status).toBe(503);
});
