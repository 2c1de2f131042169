import { describe, expect, it } from 'vitest';
import { readSession, sessionLimits } from '#rules/harSession.ts';
import { harOf } from '#server/timeline/har.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const entry = (more: object = {}) => ({
  startedDateTime: '2026-01-31T09:00:00Z',
  time: 12,
  request: { method: 'GET', url: 'https://service.example/v3/providers', headers: [] },
  response: { status: 200, statusText: 'OK', headers: [], content: { text: '{}', mimeType: 'application/json' } },
  ...more,
});
const har = (...entries: unknown[]) => JSON.stringify({ log: { entries } });

describe('A HAR file', () => {
  it('of the console’s own timeline is read as it was recorded, newest first (behaviour 10.25.5)', () => {
    const recorded = [
      timelineEntry({ id: '4', kind: 'service', name: 'getProviders' }),
      timelineEntry({ id: '5', kind: 'call', url: '/api/providers', journey: 'providers', step: 'list.listing' }),
      timelineEntry({ id: '6', kind: 'webhook', name: 'batchUpdated', method: 'POST', journey: '', step: '' }),
    ];
    const { entries } = readSession(JSON.stringify(harOf(recorded, 'http://console.example', '1')));
    expect(
      entries.map(({ kind, name, journey, step, interactionId }) => [kind, name, journey, step, interactionId]),
    ).toEqual(
      recorded
        .map(({ kind, name, journey, step, interactionId }) => [kind, name, journey, step, interactionId])
        .reverse(),
    );
    expect(entries.at(-1)).toMatchObject({ url: recorded[0]!.url, response: recorded[0]!.response, status: 200 });
  });

  it('of a browser is read as calls of a program, with its secrets masked (behaviour 10.25.5)', () => {
    const secret = 'pocp_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
    const { entries } = readSession(
      `\ufeff${har(
        entry({
          request: {
            method: 'POST',
            url: `https://service.example/a?token=${secret}`,
            headers: [
              { name: 'Authorization', value: `Bearer ${secret}` },
              { name: 'Cookie', value: 'session=hush-hush-hush' },
              { name: 'X-Api-Key', value: 'hush-hush-hush' },
              { name: 'X-Other', value: `Bearer ${secret}` },
            ],
            postData: { text: JSON.stringify({ password: 'hush-hush-hush' }) },
          },
          response: { status: 200, headers: [], content: { text: btoa(`{"jwt":"${secret}"}`), encoding: 'base64' } },
        }),
      )}`,
    );
    const [read] = entries;
    expect(read).toMatchObject({ kind: 'program', method: 'POST', status: 200, ms: 12 });
    expect(JSON.stringify(entries)).not.toMatch(/hush-hush|pocp_0123/);
    expect(atob(read!.response.body)).not.toContain('pocp_0123');
  });

  it('that names Base64 beside the text itself shows the text, with its secrets masked', () => {
    const content = { text: '{"status":"Up","password":"hush-hush-hush"}', encoding: 'base64' };
    const { entries } = readSession(har(entry({ response: { status: 200, headers: [], content } })));
    expect(entries[0]!.response.body).toContain('"status":"Up"');
    expect(entries[0]!.response.body).not.toContain('hush');
    expect(entries[0]!.response).not.toHaveProperty('encoding');
  });

  it.each([
    ['', 'It is not JSON: give an HTTP archive'],
    ['<html>', 'It is not JSON'],
    ['[]', 'the content is missing: give an object'],
    ['{"entries":[]}', 'log is missing: give an object'],
    ['{"log":{}}', 'log.entries is missing: give a list'],
    [har(), 'It has no entries'],
    [har(3), 'log.entries[0] is missing: give an object'],
    [har(entry(), entry({ request: { url: 'a' } })), 'log.entries[1].request.method is missing: give a text'],
    [har(entry({ startedDateTime: 'soon' })), 'log.entries[0].startedDateTime is no time'],
    [har(entry({ response: { status: '200' } })), 'log.entries[0].response.status is missing: give a number'],
    [
      har(entry({ request: { method: 'GET', url: 'a', headers: [{ name: 'a' }] } })),
      'log.entries[0].request.headers[0].value is missing: give a text',
    ],
    [har(entry({ request: { method: 'GET', url: 'a', headers: 'none' } })), 'request.headers is missing: give a list'],
  ])('%j is refused with what is wrong and where (behaviour 10.25.5)', (text, message) => {
    expect(() => readSession(text)).toThrow(message);
  });

  it('of many entries and long bodies is shown in part, and says so', () => {
    const long = 'x'.repeat(sessionLimits.body + 1);
    const many = Array.from({ length: sessionLimits.entries + 2 }, () => entry());
    const last = entry({ response: { status: 200, headers: [], content: { text: long } } });
    const { entries, left } = readSession(har(...many, last));
    expect(entries).toHaveLength(sessionLimits.entries);
    expect(left).toEqual([`The first 3 entries of ${sessionLimits.entries + 3} are not shown.`]);
    expect(entries[0]!.response).toMatchObject({ truncated: true });
    expect(entries[0]!.response.body).toHaveLength(sessionLimits.body);
  });

  it('with a name of an inherited member as its header, or an odd comment, is read', () => {
    const { entries } = readSession(
      har(
        entry({
          comment: 'webhook, ../x, a/b/c, interaction ',
          request: { method: 'GET', url: 'a', headers: [{ name: 'constructor', value: 'b' }] },
        }),
      ),
    );
    expect(entries[0]).toMatchObject({
      kind: 'webhook',
      name: '',
      journey: '',
      request: { headers: { constructor: 'b' } },
    });
  });
});
