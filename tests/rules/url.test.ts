import { describe, expect, it } from 'vitest';
import { pathnameOf, pathOf } from '#rules/url.ts';

describe('the path of a URL', () => {
  it.each([
    ['https://service.test/batches/1?full=true#top', '/batches/1?full=true', '/batches/1'],
    ['http://service.test', '/', '/'],
    ['/api/facts?again=true', '/api/facts?again=true', '/api/facts'],
    ['not a URL', 'not a URL', 'not a URL'],
    ['', '', ''],
  ])('of %j is %j with its query, and %j without', (url, path, pathname) => {
    expect([pathOf(url), pathnameOf(url)]).toEqual([path, pathname]);
  });
});
