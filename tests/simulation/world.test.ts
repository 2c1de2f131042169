import { expect, it, onTestFinished } from 'vitest';
import type { TransportRequest } from '#server/upstream/exchange.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { calm, climateAfter, hasAll, milder } from './climate.ts';
import { createNetwork, type NetworkAccident } from './network.ts';
import { onboard } from './onboard.ts';
import { Scheduler } from './scheduler.ts';
import { heard } from './users.ts';
import { openWorld } from './world.ts';

it('a server that is killed and started again has forgotten what it had in memory', async () => {
  const world = await openWorld(1, { servers: 1 });
  onTestFinished(() => world.close());
  await world.run(onboard(world));
  const asksService = async (): Promise<string[]> => {
    const before = world.sandbox.calls().length;
    for (const name of ['getProviders', 'getLocalInstruments', 'getToken'] as const) await world.api.done(name);
    return world.sandbox
      .calls()
      .slice(before)
      .map(({ operation }) => operation);
  };
  const ask = async (): Promise<string[]> => {
    let asked: string[] = [];
    await world.run(asksService().then((found) => void (asked = found)));
    return asked;
  };
  const restart = async () => {
    world.kill();
    await world.scheduler.until(() => !world.isRunning());
    await world.scheduler.until(() => world.isRunning());
  };
  await restart();
  const first = await ask();
  const again = await ask();
  await restart();
  const afterwards = await ask();
  expect(first).toEqual(expect.arrayContaining(['accessToken', 'providers', 'localInstruments']));
  expect(again.length).toBeLessThan(first.length);
  expect(afterwards).toEqual(first);
});

it('a world is closed while a webhook is under way', async () => {
  const world = await openWorld(1, { servers: 1 });
  void onboard(world);
  // Between two steps only a receiver keeps the sandbox waiting.
  await world.scheduler.until(() => !world.sandbox.isSettled());
  await expect(world.close()).resolves.toBeUndefined();
});

/** Sends two requests over a network, the first of which meets an accident. Returns the order of their arrivals. */
async function arrivals(accident: NetworkAccident, seed: number): Promise<{ arrived: string[]; answers: string[] }> {
  const scheduler = new Scheduler(seed);
  const arrived: string[] = [];
  const answers: string[] = [];
  const service = {
    fetch: (address: string) => {
      const path = new URL(address).pathname;
      arrived.push(path);
      return Promise.resolve(new Response(path));
    },
  };
  const network = createNetwork(scheduler, service, {
    network: ({ path }) => (path === '/first' ? accident : undefined),
    service: () => undefined,
  });
  const send = network({ name: 'console 1', isDead: false });
  const request = (path: string): TransportRequest => ({
    origin: 'http://service.example',
    path,
    method: 'GET',
    headers: [],
  });
  const timeouts = { connect: 1000, headers: 1000, body: 1000, total: 5000 };
  let settled = 0;
  const ask = async (path: string) => {
    try {
      const { body } = await send(request(path), { timeouts, maxBytes: 1e6 });
      answers.push(body.toString());
    } catch (error) {
      answers.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    settled += 1;
  };
  void ask('/first');
  void ask('/second');
  const all = accident === 'doubled' ? 3 : 2;
  await scheduler.until(() => settled === 2 && arrived.length === all);
  return { arrived, answers };
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

it('a request that the simulated network doubles arrives twice, and is answered once', async () => {
  for (const seed of seeds) {
    const { arrived, answers } = await arrivals('doubled', seed);
    expect(arrived.filter((path) => path === '/first')).toHaveLength(2);
    expect(answers.toSorted()).toEqual(['/first', '/second']);
  }
});

it('a request that the simulated network holds back is overtaken by a later one', async () => {
  const orders: Awaited<ReturnType<typeof arrivals>>[] = [];
  for (const seed of seeds) orders.push(await arrivals('held', seed)); // two schedulers would wait for each other
  expect(orders.some(({ arrived }) => arrived[0] === '/second')).toBe(true);
  expect(orders.some(({ answers }) => answers.some((each) => each.includes('no answer in time')))).toBe(true);
});

/** Lets users write while one of two servers is suspended. Returns how many heard an answer, and after how long (ms) all were done. */
async function writesBesideSleeper(proxyRepeats: number): Promise<{ answered: number; ms: number }> {
  const world = await openWorld(3, { servers: 2 });
  onTestFinished(() => world.close());
  world.become({ ...calm, proxyRepeats, machine: { ...calm.machine, suspended: 1 } });
  world.strikeMachine();
  const begun = world.scheduler.now();
  let answered = 0;
  const write = async () => {
    const key = crypto.randomUUID();
    if (await heard(world.api.call('createOrganisation', { body: organisationBody, key }))) answered += 1;
  };
  await world.run(Promise.all([1, 2, 3, 4, 5, 6].map(write)));
  return { answered, ms: world.scheduler.now() - begun };
}

it('a simulated proxy repeats writes at another server while one is suspended, or gives it up', async () => {
  const repeated = await writesBesideSleeper(5000);
  expect(repeated.answered).toBe(6);
  expect(repeated.ms).toBeLessThan(10_000);
  const givenUp = await writesBesideSleeper(0);
  expect(givenUp.answered).toBeLessThan(6);
  expect(givenUp.ms).toBeGreaterThanOrEqual(150_000);
});

it('worlds are chosen by what may happen in them, wherever their climate names it', () => {
  const climate = { ...calm, network: { late: 0.1 }, maintenance: { pauses: 0, setsClock: 0.7 } };
  expect(hasAll(climate, ['late', 'setsClock'])).toBe(true);
  expect(hasAll(climate, ['late', 'pauses'])).toBe(false);
});

it('the service’s clock is not set back where a world from nothing has seen it right', () => {
  const climate = { ...calm, serviceAhead: -60_000 };
  expect(climateAfter(undefined, climate).serviceAhead).toBe(60_000);
  expect(climateAfter({}, climate).serviceAhead).toBe(-60_000);
});

it('a mild climate has the accidents of another one, each of them rarely, and clocks that are nearly right', () => {
  const climate = { ...calm, network: { late: 0.1 }, serviceAhead: 900_000, proxyRepeats: 7 };
  const { network, serviceAhead, proxyRepeats } = milder(climate);
  expect(network.late).toBeCloseTo(0.005);
  expect({ serviceAhead, proxyRepeats }).toEqual({ serviceAhead: 45_000, proxyRepeats: 7 });
});
