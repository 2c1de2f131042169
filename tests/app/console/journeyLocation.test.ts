import { describe, expect, it } from 'vitest';
import { locationAt } from '#app/console/journeyLocation.ts';

const backOf = (then: string) => locationAt('/settings', new URLSearchParams({ then }).toString())?.back;

describe('the address parameter “then”', () => {
  it.each([
    '//evil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    '/\\evil.test',
    'https://evil.test/settings',
    'javascript:alert(1)',
    '/settings/..//evil.test',
    '/settings#//evil.test',
    ' /settings',
    '/constructor',
  ])('is accepted only if it is the path of a journey: %s (threat 1.9)', (then) => {
    expect(backOf(then)).toBeNull();
  });

  it('leads back to a journey with its query parameters', () => {
    expect(backOf('/settings?guided=true')).toBe('/settings?guided=true');
  });
});

describe('the record that an address names', () => {
  it.each([
    ['/getbatch', 'batchId=batch-1', 'batch-1'],
    ['/getbatch', 'guided=true', undefined],
    ['/electronicpayments', 'corrects=batch-1&invoices=10', 'batch-1'],
    ['/filepayments', 'corrects=batch-2', 'batch-2'],
    ['/electronicpayments', 'batchId=batch-1', undefined],
    ['/paymentlist', 'record=batch-1', undefined],
  ])('is what its page is about: %s?%s', (path, search, about) => {
    expect(locationAt(path, search)?.about).toBe(about);
  });
});
