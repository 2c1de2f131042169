import { describe, expect, it } from 'vitest';
import { planOf } from '#app/journey/inspector/code/request.ts';
import { shownAfter } from '#app/journey/inspector/shownRequest.ts';
import { filterIn } from '#app/tools/timeline/timelineFilter.ts';
import { purposeOf } from '#app/tools/timeline/format.ts';
import { member, own } from '#contract/member.ts';
import { toneOf } from '#ui/Badge.tsx';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** Names of inherited members, which an address, a provider or the service may send. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

describe.each(inherited)('the name of a member of Object.prototype, %s,', (name) => {
  it('is not found in a lookup table that lacks it', () => {
    expect([own({ a: 1 }, name), member({ a: 1 }, name)]).toEqual([false, undefined]);
    expect(member({ [name]: 1, a: 2 }, 'a')).toBe(2);
  });

  it('is displayed like any other text in statuses, filters, headers and calls', () => {
    const headers = Object.fromEntries([[name, 'value']]);
    expect(toneOf(name)).toBe('waiting');
    expect(filterIn(new URLSearchParams({ show: name }))).toEqual(filterIn(new URLSearchParams()));
    expect(purposeOf(timelineEntry({ kind: 'call', name }))).toBe('');
    const entry = timelineEntry({ request: { headers, body: '', bytes: 0 } });
    expect(shownAfter(entry).headers).toEqual(headers);
    expect(planOf({ method: 'GET', url: '/', headers, body: '' }).headers).toEqual([[name.toLowerCase(), ['value']]]);
  });
});
