import { describe, expect, it } from 'vitest';
import { parsedBody } from '#app/journey/inspector/shownRequest.ts';

describe('a recorded body', () => {
  it.each([
    ['{"primarySigningKey":"$TOKEN"}', { primarySigningKey: '$SIGNING_KEY' }],
    ['{ "signingKey" : "$TOKEN", "token": "$TOKEN" }', { signingKey: '$SIGNING_KEY', token: '$TOKEN' }],
    ['{"data":{"signing_key":"$TOKEN"}}', { data: { signing_key: '$SIGNING_KEY' } }],
    ['{"jwt":"$TOKEN"}', { jwt: '$TOKEN' }],
    ['{"name":"signingKey $TOKEN"}', { name: 'signingKey $TOKEN' }],
  ])('has the placeholder of a signing key only where one stood: %s (behaviour 10.8.1)', (text, shown) => {
    expect(parsedBody(text)).toEqual({ json: shown });
  });

  it('without JSON stays as it was', () => {
    expect(parsedBody('<p>"signingKey":"$TOKEN"</p>')).toEqual({ text: '<p>"signingKey":"$TOKEN"</p>' });
  });
});
