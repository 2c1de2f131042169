import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

describe('A subscription’s authorisation link', () => {
  it.each([
    ['/authorise/1', true],
    ['http://127.0.0.1.evil.test/authorise/1', false],
    ['https://provider.test/authorise/1', false],
    ['javascript:alert(1)', false],
    ['data:text/html,hello', false],
    ['blob:/authorise/1', false],
    ['user@/authorise/1', false],
    ['user:secret@/authorise/1', false],
    [':secret@/authorise/1', false],
    ['//provider.test/authorise/1', false],
    [undefined, false],
  ])('from the service %s is offered to the user: %s (threat 3.25)', async (link, followed) => {
    const service = await fakeUpstream({
      [endpoints.subscriptions]: (...exchange) => {
        const authorise = link
          ?.replace(/^(blob:)?\/(?!\/)/, `$1${service.url}/`)
          .replace(/^([^/]*@)\//, `http://$1${new URL(service.url).host}/`);
        const data = { subscriptionId: 's', providerId: 'p', status: 'AwaitingAuthorisation' };
        return answering({ data, links: { authorise } })(...exchange);
      },
    });
    const { done, store } = await testConsole({ upstreamUrl: service.url });
    await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const { data } = await done('getSubscription', { params: { subscriptionId: 's' } });
    expect(data.followed).toBe(followed);
  });

  it('may lead to any origin in PROVIDER_ORIGINS, which refuses an invalid URL', () => {
    const live = liveEnvironment('https://provider.example.com');
    expect(parseConfig(live).live?.providerOrigins).toEqual(['https://provider.example.com']);
    const more = { ...live, PROVIDER_ORIGINS: 'https://bank.example.com/, https://other.example.com:8443' };
    expect(parseConfig(more).live?.providerOrigins).toEqual([
      'https://provider.example.com',
      'https://bank.example.com',
      'https://other.example.com:8443',
    ]);
    expect(() => parseConfig({ ...live, PROVIDER_ORIGINS: 'bank.example.com' })).toThrow(
      'PROVIDER_ORIGINS is "bank.example.com": give addresses such as https://bank.example.com, separated by commas, http: only on this machine.',
    );
  });
});
