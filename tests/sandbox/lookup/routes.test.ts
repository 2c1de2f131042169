import { describe, expect, it } from 'vitest';
import { answers } from '#server/upstream/answers.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { testSandbox } from '../harness.ts';

describe('the definitions', () => {
  it('are served in the shapes of the wire (wire 1.2, 5.5.1, 5.5.2)', async () => {
    const sandbox = await testSandbox();
    const get = async (path: string) => (await sandbox.call('GET', path)).body;
    expect(answers.providers.parse(await get(`${endpoints.providers}?country=GB`)).data).toHaveLength(6);
    expect(answers.provider.parse(await get(`${endpoints.providers}/provider-asks`)).data.name).toBe('asks');
    expect(answers.localInstruments.parse(await get(endpoints.localInstruments)).data).toHaveLength(1);
    expect(answers.fileFormats.parse(await get(`${endpoints.fileFormats}?country=GB`)).data).toHaveLength(1);
    expect(answers.health.parse(await get(endpoints.consumerStatus)).name).toContain('consumer API');
    expect(answers.health.parse(await get(endpoints.messagingStatus)).name).toContain('messaging');
    expect(await get(endpoints.banks)).toMatchObject({ meta: { total_count: 9 } });
  });

  it('are in the requested language', async () => {
    const sandbox = await testSandbox();
    const ask = (path: string, language: string) =>
      sandbox.call('GET', path, { headers: { [header.language]: language } });
    expect((await ask(endpoints.providers, 'xx')).body.data).toEqual([]);
    expect((await ask(`${endpoints.translations}/known`, 'fr-CA')).body.data.translation).toBe('known in fr-CA');
    expect((await ask(`${endpoints.translations}/unknown`, 'fr-CA')).status).toBe(404);
  });

  it('require the application and its key, and a country of two letters (wire 2.1.1)', async () => {
    const sandbox = await testSandbox();
    const status = async (path: string, headers = {}) => (await sandbox.call('GET', path, { headers })).status;
    expect(await status(endpoints.providers, { [header.apiKey]: 'wrong' })).toBe(401);
    expect(await status(endpoints.fileFormats, { [header.apiKey]: 'wrong' })).toBe(200);
    expect(await status(endpoints.fileFormats, { [header.application]: 'wrong' })).toBe(401);
    expect(await status(`${endpoints.providers}?country=GBR`)).toBe(400);
    expect(await status(`${endpoints.providers}/none`)).toBe(404);
  });

  it('say what would be right of a country, and of a link without its token', async () => {
    const sandbox = await testSandbox();
    const detail = async (path: string) => (await sandbox.call('GET', path)).body.detail;
    for (const path of [endpoints.providers, endpoints.fileFormats])
      expect(await detail(`${path}?country=gb`)).toContain('a 2-letter country code such as GB');
    expect(await detail('/files/none')).toContain('the token of the link that a batch was read with');
  });
});
