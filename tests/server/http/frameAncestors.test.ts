import { describe, expect, it } from 'vitest';
import { refusingHeader } from '#server/http/frameAncestors.ts';

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
