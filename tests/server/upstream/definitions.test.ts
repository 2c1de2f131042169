import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { clientOf, problemOf } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

const minute = 60_000;
const scope = { country: 'GB', language: 'en' };

/** A clock that `pass` moves. */
function movable() {
  let passed = 0;
  const clock = { ...systemClock, now: () => Date.now() + passed, steady: () => systemClock.steady() + passed };
  return { clock, pass: (ms: number) => (passed += ms) };
}

describe('The cache of the service’s definitions', () => {
  it('expires after a minute (behaviour 3.7)', async () => {
    const service = await fakeUpstream({ [endpoints.providers]: answering({ data: [] }) });
    const { clock, pass } = movable();
    const client = clientOf(service.url, {}, clock);
    for (const [ms, requests] of [
      [0, 1],
      [minute - 1000, 1],
      [1001, 2],
    ] as const) {
      pass(ms);
      await client.providers(scope);
      expect(service.asked).toHaveLength(requests);
    }
  });

  it('stores no failure, which concurrent callers share', async () => {
    const service = await fakeUpstream({ [endpoints.providers]: answering({ title: 'No', code: 'No' }, 400) });
    const client = clientOf(service.url);
    const [one, other] = await Promise.all([1, 2].map(() => problemOf(client.providers(scope))));
    expect(one).toEqual(other);
    expect(service.asked).toHaveLength(1);
    service.scripts[endpoints.providers] = answering({ data: [] });
    expect((await client.providers(scope)).data).toEqual([]);
  });

  it('is shared by workspaces, none of which waits for another’s request', async () => {
    const held: ServerResponse[] = [];
    const service = await fakeUpstream({
      [endpoints.banks]: (response) => void held.push(response),
      [endpoints.providers]: answering({ data: [] }),
    });
    const client = clientOf(service.url);
    const [ada, ben] = [client.of(), client.of()];
    await ada.providers(scope);
    await ben.providers(scope);
    expect(service.askedFor(endpoints.providers)).toHaveLength(1);

    const hanging = ada.banks();
    await eventually(() => expect(held).toHaveLength(1));
    const asking = ben.banks();
    await eventually(() => expect(held).toHaveLength(2));
    held[1]!.end('{"data":[]}');
    expect((await asking).data).toEqual([]);
    held[0]!.end('{"data":[]}');
    await hanging;
    expect((await ada.banks()).data).toEqual([]);
    expect(held).toHaveLength(2);
  });

  it('serves GET /api/facts until it expires (behaviour 3.7)', async () => {
    const service = await fakeUpstream({
      [endpoints.providers]: answering({ data: [] }),
      [endpoints.fileFormats]: answering({ data: [] }),
    });
    const { clock, pass } = movable();
    const { done } = await testConsole({ upstreamUrl: service.url, clock });
    const requests = async () => {
      for (let turn = 0; turn < 3; turn += 1)
        for (const name of ['getFacts', 'getProviders', 'getFileFormats'] as const) await done(name);
      return service.askedFor(endpoints.providers).length;
    };
    const first = await requests();
    expect(await requests(), 'from the cache').toBe(first);
    pass(minute);
    expect(await requests(), 'read again').toBe(2 * first);
  });
});

it('GET /api/facts reports the expiry of the user token although nothing was written', async () => {
  const { clock, pass } = movable();
  const { done, store } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url, clock });
  await store.settings.write('userJwt', unsignedJwt(30));
  expect((await done('getFacts')).userToken).toBe(true);
  pass(minute / 2);
  expect((await done('getFacts')).userToken).toBe(false);
});
