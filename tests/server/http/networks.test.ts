import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { clientNetwork, includesEverybody, isNetwork, networkOf, isInNetwork } from '#server/http/networks.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';

describe('IP networks', () => {
  it.each([
    [['203.0.113.0/24'], '203.0.113.9', true],
    [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
    [['203.0.113.0/24'], '::ffff:cb00:7109', true],
    [['203.0.113.0/24'], '203.0.114.9', false],
    [['127.0.0.0/8', '::1'], '::1', true],
    [['127.0.0.0/8', '::1'], '127.0.0.1', true],
    [['127.0.0.0/8', '::1'], '192.168.0.7', false],
    [['2001:db8::/32'], '2001:db8::7', true],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['203.0.113.7'], '', false],
    [[], '203.0.113.7', false],
  ])('%j contain the address %s: %s', (networks, address, expected) => {
    expect(isInNetwork(networks)(address)).toBe(expected);
  });

  it.each([
    [['0.0.0.0/0'], true],
    [['10.1.2.3/0'], true],
    [['::/0'], true],
    [['0.0.0.0/1', '128.0.0.0/1'], true],
    [['128.0.0.0/2', '10.0.0.7', '0.0.0.0/1', '192.0.0.0/2'], true],
    [['0.0.0.0/1', '128.0.0.0/2'], false],
    [['::/1', '8000::/1'], true],
    [['2000::/4', '3000::/4'], true],
    [['2000::/4', '3000::/5'], false],
    [['::ffff:0:0/96'], true],
    [['::ffff:0.0.0.0/97', '128.0.0.0/1'], true],
    [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', '::1', 'fe80::1%eth0'], false],
    [[], false],
    [['a:b:c:d:e:f:a:b:c:d:e:f', 'proxy.example', '/', '1.2.3.4/33'], false],
  ])('%j contain every address: %s', (networks, expected) => {
    expect(includesEverybody(networks)).toBe(expected);
  });

  it.each(['', 'example.com', '1.2.3', '1.2.3.4/33', '1.2.3.4/x', '::1/129', '1.2.3.4/-1'])(
    'refuse the invalid notation %j',
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ...['', 'unknown', '_hidden', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4:', '1.2.3.4:x', '1.2.3.4/8'].map(
      (text) => [text],
    ),
    ...['[1.2.3.4]', '[2001:db8::1', '2001:db8::1]:1', '[]', 'evil.example', '"1.2.3.4"', '1'.repeat(10_000)].map(
      (text) => [text],
    ),
  ] as [string, string?][])('normalise the client address %j to %j', (text, address) => {
    expect(clientNetwork(text)).toBe(address);
  });
});

describe('The network by which the rate limit counts a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of the address %j is %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('The allowed sources of webhooks', () => {
  it('are those in WEBHOOK_SOURCES, which refuses an invalid address; all by default (threat 5.2)', () => {
    const live = liveEnvironment('http://127.0.0.1:1');
    expect(parseConfig(live).live?.webhook.sources).toBeUndefined();
    const given = { ...live, WEBHOOK_SOURCES: '203.0.113.0/24, ::1' };
    expect(parseConfig(given).live?.webhook.sources).toEqual(['203.0.113.0/24', '::1']);
    expect(() => parseConfig({ ...live, WEBHOOK_SOURCES: 'elsewhere' })).toThrow(/^WEBHOOK_SOURCES is "elsewhere": /);
  });
});
