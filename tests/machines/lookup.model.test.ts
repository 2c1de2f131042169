import { describe, expect, it } from 'vitest';
import { healthNews } from '#machines/lookup/lookup.machine.ts';

describe('the report on a health page', () => {
  const row = {
    version: '1',
    branch: 'main',
    name: 'api',
    status: 'OK',
    httpStatus: 200,
    readAt: '2026-11-20T09:00:00.000Z',
  };
  const later = { ...row, readAt: '2026-11-20T10:00:00.000Z' };

  it('is empty after the first check, and while nothing was read', () => {
    expect(healthNews(null, row)).toBe('');
    expect(healthNews(row, null)).toBe('');
  });

  it('states that nothing has changed, or the previous value of each change', () => {
    expect(healthNews(row, later)).toBe('Nothing has changed since the last check.');
    expect(healthNews(row, { ...later, version: '2' })).toBe('Changed since the last check: version was 1.');
    expect(healthNews(row, { ...later, name: 'x', branch: 'x', status: 'x' })).toBe(
      'Changed since the last check: status was OK, branch was main, name was api.',
    );
  });
});
