import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { refusingHeader } from '#server/http/frameAncestors.ts';

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
      /^PROVIDER_ORIGINS is "bank.example.com": /,
    );
  });
});

const csp = 'content-security-policy';
const frames = 'x-frame-options';
const framed = new URL('https://bank.test/authorise');

const refuses = (headers: Record<string, string>, around = 'https://console.test:8443/x') =>
  refusingHeader(new Headers(headers), framed, new URL(around)) !== '';

describe('an answer refuses to be shown in a frame', () => {
  it.each([
    [{ [frames]: 'DENY' }],
    [{ [frames]: 'deny' }],
    [{ [frames]: 'SAMEORIGIN' }],
    [{ [frames]: 'SAMEORIGIN, SAMEORIGIN' }],
    [{ [csp]: "frame-ancestors 'none'" }],
    [{ [csp]: "default-src 'self'; Frame-Ancestors 'none'" }],
    [{ [csp]: "frame-ancestors 'self'" }],
    [{ [csp]: 'frame-ancestors' }],
    [{ [csp]: 'frame-ancestors https://other.test' }],
    [{ [csp]: 'frame-ancestors https://console.test' }], // another port
    [{ [csp]: 'frame-ancestors https://*.console.test:8443' }],
    [{ [csp]: 'frame-ancestors http://x.test https://notconsole.test:8443' }],
    [{ [csp]: "frame-ancestors https:, frame-ancestors 'none'" }],
    [{ [csp]: "frame-ancestors 'none'", [frames]: 'ALLOWALL' }],
  ])('with %o', (headers) => {
    expect(refuses(headers)).toBe(true);
  });

  it('with a scheme that the page around does not have', () => {
    expect(refuses({ [csp]: 'frame-ancestors https:' }, 'http://console.test/')).toBe(true);
  });
});

describe('an answer does not refuse to be shown in a frame', () => {
  it.each([
    [{}],
    [{ [csp]: "default-src 'none'" }],
    [{ [csp]: 'frame-ancestors *' }],
    [{ [csp]: 'frame-ancestors https:' }],
    [{ [csp]: 'frame-ancestors https://console.test:8443' }],
    [{ [csp]: 'frame-ancestors https://console.test:*' }],
    [{ [csp]: 'frame-ancestors http://CONSOLE.test:8443/path' }],
    [{ [csp]: 'frame-ancestors *.test:8443' }],
    [{ [csp]: "frame-ancestors 'self' console.test:8443" }],
    [{ [csp]: 'frame-ancestors https:', [frames]: 'DENY' }], // replaces X-Frame-Options
    [{ [frames]: 'ALLOW-FROM https://other.test' }], // ignored by browsers
    [{ [frames]: 'ALLOWALL' }],
    [{ [`${csp}-report-only`]: "frame-ancestors 'none'" }],
  ])('with %o', (headers: Record<string, string>) => {
    expect(refuses(headers)).toBe(false);
  });

  it('to a page of its own origin', () => {
    for (const headers of [{ [frames]: 'SAMEORIGIN' }, { [csp]: "frame-ancestors 'self'" }])
      expect(refuses(headers, 'https://bank.test/other')).toBe(false);
  });

  it('to the port that its scheme has by default', () => {
    expect(refuses({ [csp]: 'frame-ancestors https://console.test' }, 'https://console.test/')).toBe(false);
  });
});
