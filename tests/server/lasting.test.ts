import { setImmediate as othersTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { scopeHeader } from '#contract/constants.ts';
import { systemClock } from '#server/clock.ts';
import { createLastingAnswers } from '#server/routes/lasting.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { sharedUse } from '#tests/support/signedIn.ts';

const definitions = {
  [endpoints.providers]: answering({ data: [] }),
  [endpoints.fileFormats]: answering({ data: [] }),
};
const minute = 60_000;

/** A console on a clock that `wait` moves, with a service that has no definitions. */
async function waiting() {
  let passed = 0;
  const service = await fakeUpstream(definitions);
  const clock = { ...systemClock, now: () => Date.now() + passed, steady: () => systemClock.steady() + passed };
  const server = await testConsole({ upstreamUrl: service.url, clock });
  return { ...server, service, wait: (ms: number) => (passed += ms) };
}

it('an answer that is sent again is what would be read, after any write', async () => {
  const server = await consoleWithSandbox();
  const both = async () => [
    (await server.done('getSettings')).providerCountry,
    (await server.done('getFacts')).settings.providerCountry,
  ];
  for (const country of ['GB', 'US', 'GB']) {
    await server.done('setSetting', { body: { key: 'providerCountry', value: country } });
    for (let turn = 0; turn < 3; turn += 1) expect(await both()).toEqual([country, country]);
  }
  await server.store.settings.write('providerCountry', 'CA');
  expect(await both(), 'written elsewhere in the process').toEqual(['CA', 'CA']);
});

it('an answer that is sent again is sent and recorded like the first', async () => {
  const { url, done, timelines } = await waiting();
  const read = async (query: string) => {
    const { status, headers } = await fetch(`${url}${calls.getSettings.path}${query}`);
    return { status, headers: Object.fromEntries([...headers].filter(([name]) => !/date|policy/.test(name))) };
  };
  const first = await read('?again');
  await timelines.flush();
  await othersTurn();
  expect([await read('?again'), await read('?again')]).toEqual([first, first]);
  const { data } = await done('getTimeline', { query: { limit: '100' } });
  const recorded = data.filter((entry) => entry.url.endsWith('?again'));
  expect(recorded).toHaveLength(3);
  expect(new Set(recorded.map(({ interactionId }) => interactionId)).size, 'each is a call of its own').toBe(3);
  const sides = recorded.map(({ status, request, response }) => ({ status, request, response }));
  expect(sides).toEqual([sides[0], sides[0], sides[0]]);
});

it('facts and definitions are read again once they have expired', async () => {
  const { done, service, wait } = await waiting();
  const asked = async () => {
    for (let turn = 0; turn < 3; turn += 1)
      for (const name of ['getFacts', 'getProviders', 'getFileFormats'] as const) await done(name);
    return service.askedFor(endpoints.providers).length;
  };
  const first = await asked();
  expect(await asked(), 'from memory').toBe(first);
  wait(minute);
  expect(await asked(), 'read again').toBeGreaterThan(first);
});

it('facts say when the user token has expired, though nothing was written', async () => {
  const { done, store, wait } = await waiting();
  await store.settings.write('userJwt', unsignedJwt(30));
  for (let turn = 0; turn < 3; turn += 1) expect((await done('getFacts')).userToken).toBe(true);
  wait(minute / 2);
  expect((await done('getFacts')).userToken).toBe(false);
});

it('each user and each company gets its own answers', async () => {
  const { signedIn, url } = await sharedUse({ upstreamUrl: async () => (await fakeUpstream(definitions)).url });
  const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
  await ada.done('setSetting', { body: { key: 'providerCountry', value: 'US' } });
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await ada.done('getSettings')).providerCountry).toBe('US');
    expect((await ben.done('getSettings')).providerCountry).toBe('');
    expect((await fetch(`${url}${calls.getSettings.path}`)).status).toBe(401);
  }
  const { code } = await ada.refused('getSettings', { headers: { [scopeHeader]: 'another' } });
  expect(code).toBe('company-unknown');
});

it('answers that are kept are bounded, and end with what they were made from', async () => {
  const answers = createLastingAnswers();
  const at = (url: string) => ({ url, get: () => '' }) as never; // all that is looked at
  let written = false;
  const answer = (length: number) => ({
    scope: 'first',
    response: { headers: {}, body: 'x'.repeat(length) },
    holds: () => Promise.resolve(!written),
  });
  for (let turn = 0; turn < 100; turn += 1) await answers.keep('default', at(`/${turn}`), answer(500_000));
  const found = await Promise.all(Array.from({ length: 100 }, (_, turn) => answers.get('default', at(`/${turn}`))));
  const kept = found.filter(Boolean);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(9);
  await answers.keep('default', at('/large'), answer(2_000_000));
  expect(await answers.get('default', at('/large'))).toBeUndefined();
  expect(await answers.get('another', at('/99'))).toBeUndefined();
  written = true;
  expect(await answers.get('default', at('/99'))).toBeUndefined();
});
