import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { isSource, sourcesOf } from '#server/webhooks/sources.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';

describe('the sources of webhooks', () => {
  it.each([
    [['203.0.113.0/24'], '203.0.113.9', true],
    [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
    [['203.0.113.0/24'], '203.0.114.9', false],
    [['127.0.0.0/8', '::1'], '::1', true],
    [['127.0.0.0/8', '::1'], '127.0.0.1', true],
    [['127.0.0.0/8', '::1'], '192.168.0.7', false],
    [['2001:db8::/32'], '2001:db8::7', true],
    [['203.0.113.7'], '', false],
  ])('%j: %s is among them: %s', (sources, address, expected) => {
    expect(sourcesOf(sources)(address)).toBe(expected);
  });

  it.each(['', 'example.com', '1.2.3', '1.2.3.4/33', '1.2.3.4/x', '::1/129', '1.2.3.4/-1'])(
    'do not include %j',
    (source) => {
      expect(isSource(source)).toBe(false);
    },
  );

  it('are those configured; for the sandbox this machine', () => {
    const live = liveEnvironment('http://127.0.0.1:1');
    expect(parseConfig(live).live?.webhook.sources).toBeUndefined();
    const given = { ...live, WEBHOOK_SOURCES: '203.0.113.0/24, ::1' };
    expect(parseConfig(given).live?.webhook.sources).toEqual(['203.0.113.0/24', '::1']);
    expect(() => parseConfig({ ...live, WEBHOOK_SOURCES: 'elsewhere' })).toThrow(/^WEBHOOK_SOURCES is "elsewhere": /);
  });
});
