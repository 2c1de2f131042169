import { describe, expect, it } from 'vitest';
import { locationAt } from '#app/console/journeyLocation.ts';

const backOf = (then: string) => locationAt('/settings', new URLSearchParams({ then }).toString())?.back;

describe('a page', () => {
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
  ])('takes a page to go back to from an address only if it is a journey’s: %s (threat 1.9)', (then) => {
    expect(backOf(then)).toBeNull();
  });

  it('goes back to a journey, with what its address says', () => {
    expect(backOf('/settings?guided=true')).toBe('/settings?guided=true');
  });
});
