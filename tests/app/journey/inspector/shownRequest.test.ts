import { describe, expect, it } from 'vitest';
import { codeOf } from '#app/journey/inspector/code.ts';
import { languages } from '#app/journey/inspector/code/languages.ts';
import { createdWord, keyWord } from '#app/journey/inspector/code/request.ts';
import { shownAfter, shownBefore } from '#app/journey/inspector/shownRequest.ts';
import { requests } from '#contract/requests/requests.ts';
import { companyBody } from '#tests/support/bodies.ts';
import { serviceOf } from '#server/upstream/config.ts';
import { upstreamAt } from '#tests/support/sandboxCredentials.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const service = serviceOf(upstreamAt('https://service.test'));

describe('A request that is not yet sent', () => {
  const body = { ...companyBody(createdWord('KEY')), note: '$KEY' };
  const { pending, ...shown } = shownBefore(requests.createCompany(body, keyWord), service);

  it('is shown and copied with plain names in place of what is created, and no other sign (behaviour 10.16.20)', () => {
    expect(pending?.body).toContain(createdWord('KEY'));
    const text = JSON.stringify(shown);
    expect(text).toContain('"$KEY');
    expect(text).not.toContain(createdWord('KEY'));
    expect(text).not.toMatch(/[\u200b-\u200f\u2060-\u2064\ufeff]/);
    const signed = Buffer.from(shown.body).toString('base64');
    expect(decodeURIComponent(decodeURIComponent(shown.baseString))).toContain(signed);
  });

  it.each(languages)('has code in %s that creates a value for the mark, not for the same word typed', (language) => {
    const code = codeOf({ ...shown, ...(pending && { pending }) }, language);
    expect(code).not.toContain(createdWord('KEY'));
    expect(code).not.toMatch(/[\u200b-\u200f\u2060-\u2064\ufeff]/);
    expect(code).toMatch(/note.{1,8}:.{1,8}\$KEY/);
  });
});

describe('A recorded request', () => {
  const request = (body: string, secretAs?: string) => ({ headers: {}, body, bytes: 1, ...(secretAs && { secretAs }) });
  const code = (body: string, secretAs?: string) =>
    codeOf(shownAfter(timelineEntry({ method: 'POST', request: request(body, secretAs) })), 'cURL (bash)');

  it('has a note about its secrets only if it held some (behaviour 10.16.20)', () => {
    expect(code('{"taxNumber":"$TOKEN"}')).not.toContain('in place of each secret');
    expect(code('{"a":"$TOKEN","pin":"$TOKEN_2"}', '$TOKEN_2')).toContain('$TOKEN_2 in place of each secret');
  });
});
