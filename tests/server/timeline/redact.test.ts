import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { redactor } from '#server/timeline/redact.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { consoleWithSandbox, silent } from '#tests/support/console.ts';
import { memoryInUse } from '#tests/support/memory.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { testKey, storageIn, temporaryFolder } from '#tests/support/store.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

const secret = 'q"uo\\ted-s/ecret-0123456789';

/** A value as JSON within JSON strings, nested this many levels deep. */
const nested = (value: unknown, levels: number): string =>
  Array.from({ length: levels }).reduce<string>(
    (text) => JSON.stringify({ data: text, next: 'kept' }),
    JSON.stringify(value),
  );

const redacted = (text: string, secrets: readonly string[]) => redactor(secrets).text(text);
const redactedMessage = (
  side: Parameters<ReturnType<typeof redactor>['message']>[0],
  secrets: readonly string[],
  most?: number,
) => redactor(secrets).message(side, most);

describe('Redaction for the timeline', () => {
  it.each([0, 1, 2, 3])(
    'replaces values of secret members, also with quotes in them, in JSON nested %i levels deep (threat 6.21)',
    (levels) => {
      const members = { apiKey: secret, access_token: secret, password: secret, next: 'kept too' };
      const text = redacted(nested(members, levels), []);
      expect(text).not.toMatch(/uo|ecret-0|0123456789/);
      expect(text.match(/\$TOKEN/g)).toHaveLength(3);
      expect(text).toContain('kept too');
      let inner: unknown = text;
      for (let level = 0; level <= levels; level += 1)
        inner = level < levels ? (JSON.parse(inner as string) as { data: string }).data : JSON.parse(inner as string);
      expect(inner).toEqual({ apiKey: '$TOKEN', access_token: '$TOKEN', password: '$TOKEN', next: 'kept too' });
    },
  );

  it('replaces known secrets wherever they occur, in any encoding', () => {
    const ways = [secret, JSON.stringify(secret), encodeURIComponent(secret), nested(secret, 2)];
    for (const way of ways) expect(redacted(`before ${way} after`, [secret]), way).not.toMatch(/0123456789/);
  });

  it('replaces keys in the query of a URL, and no other parameter', () => {
    const url = 'https://files.example/f?sig=abc%2Bdef&country=GB&token=xyz#part';
    expect(redacted(url, [])).toBe('https://files.example/f?sig=$TOKEN&country=GB&token=$TOKEN#part');
  });

  it('replaces the values of authenticating headers and known secrets in others', () => {
    const { headers } = redactedMessage(
      {
        headers: {
          Authorization: 'Bearer abc',
          'X-Api-Key': 'abc',
          'X-Webhook-Key': 'abc',
          'Signing-Key': 'abc',
          'Set-Cookie': ['a=1', 'b=2'],
          'X-List': ['one', secret],
          'x-empty': '',
          'x-absent': undefined,
        },
        body: '',
      },
      [secret],
    );
    expect(headers).toEqual({
      authorization: 'Bearer $TOKEN',
      'x-api-key': '$API_KEY',
      'x-webhook-key': '$WEBHOOK_KEY',
      'signing-key': '$SIGNING_KEY',
      'set-cookie': '$TOKEN',
      'x-list': 'one,$TOKEN',
      'x-empty': '',
    });
  });

  it('truncates a body without leaving part of a secret at its end', () => {
    const most = 1000;
    for (const before of [most - 10, most - 1, most - 25]) {
      const { body, bytes } = redactedMessage(
        { headers: {}, body: `${'x'.repeat(before)}${secret}${'é'.repeat(9000)}` },
        [secret],
        most,
      );
      expect(body.length).toBeLessThanOrEqual(most);
      expect(body).not.toContain('q"uo');
      expect(bytes).toBe(before + Buffer.byteLength(secret) + 18_000);
    }
  });

  it('marks a body as truncated only if part of it is missing', () => {
    const most = 1000;
    const truncated = (body: string) => redactedMessage({ headers: {}, body }, [secret], most).truncated;
    expect(truncated('')).toBeUndefined();
    expect(truncated('x'.repeat(most))).toBeUndefined();
    expect(truncated('x'.repeat(most + 1))).toBe(true);
    // Redaction shortens a text, which is still whole.
    expect(truncated(JSON.stringify({ access_token: secret }))).toBeUndefined();
    expect(truncated(`${'x'.repeat(most - secret.length)}${secret}`)).toBeUndefined();
    expect(truncated(`${secret}${'x'.repeat(9000)}`)).toBe(true);
    // Redaction may also shorten the kept part of a text that is not whole.
    expect(truncated(`${`${secret} `.repeat(300)}`)).toBe(true);
  });

  it('names what stands for its secrets, which nothing that was typed is like (threat 6.21)', () => {
    const of = (body: string) => {
      const { secretAs, body: kept } = redactedMessage({ headers: {}, body }, [secret], 1000);
      return { secretAs, kept };
    };
    expect(of('{"taxNumber":"$TOKEN","a":"••••••••"}')).toEqual({
      kept: '{"taxNumber":"$TOKEN","a":"••••••••"}',
    });
    expect(of('{"pin":"1234"}')).toEqual({ secretAs: '$TOKEN', kept: '{"pin":"$TOKEN"}' });
    expect(of('{"taxNumber":"$TOKEN","pin":"1234"}')).toEqual({
      secretAs: '$TOKEN_2',
      kept: '{"taxNumber":"$TOKEN","pin":"$TOKEN_2"}',
    });
  });

  it('does not keep the whole text of a truncated body in memory', () => {
    const before = memoryInUse();
    const kept = Array.from({ length: 30 }, (_, turn) =>
      redactedMessage({ headers: {}, body: `${turn}${'a long answer '.repeat(200_000)}` }, [], 4096),
    );
    expect(memoryInUse() - before).toBeLessThan(8 * 1024 * 1024);
    expect(kept.every(({ body }) => body.length === 4096)).toBe(true);
  });
});

describe('The timeline', () => {
  it('lists later entries after earlier ones although the clock was set back before a restart', async () => {
    const storage = await storageIn(temporaryFolder(), [testKey()]);
    const { id: _, ...entry } = timelineEntry({ at: new Date().toISOString() });
    for (const [name, back] of [
      ['first', 0],
      ['second', 60_000],
    ] as const) {
      const clock = { ...systemClock, now: () => Date.now() - back };
      const timeline = createTimelines({ storage, clock, log: silent }).of(defaultWorkspace);
      timeline.add(() => ({ ...entry, name }));
      await timeline.list();
    }
    const timeline = createTimelines({ storage, clock: systemClock, log: silent }).of(defaultWorkspace);
    expect((await timeline.list()).map(({ name }) => name)).toEqual(['first', 'second']);
  });

  it('continues after an entry whose creation failed', async () => {
    const storage = await storageIn(temporaryFolder(), [testKey()]);
    const timelines = createTimelines({ storage, clock: systemClock, log: silent });
    const timeline = timelines.of(defaultWorkspace);
    const { id: _, ...entry } = timelineEntry({ at: new Date().toISOString() });
    timeline.add(() => {
      throw new Error('This one cannot be made');
    });
    timeline.add(() => entry);
    expect(await timeline.list()).toHaveLength(1);
    timeline.add(() => entry);
    expect(await timeline.list()).toHaveLength(2);
    await timelines.flush();
  });

  it('groups a resent message with the original by its interaction id', async () => {
    const { server, service } = await notified();
    const working = service.scripts[endpoints.messaging]!; // notified sets it
    service.scripts[endpoints.messaging] = (response) => void response.destroy();
    const body = { data: { subscriptionId } };
    const { messageId = '' } = await server.refused('queryDebtors', { body });
    service.scripts[endpoints.messaging] = working;
    await server.done('sendMessageAgain', { params: { messageId } });
    const { data } = await server.done('getTimeline', { query: { interaction: messageId } });
    const joined = data.filter(({ interactionId }) => interactionId === messageId).reverse();
    expect(joined.map(({ kind, name, status }) => `${kind} ${name} ${status}`)).toEqual([
      'service queryDebtors 200', // its token
      'service queryDebtors 0',
      expect.stringMatching(/^call queryDebtors 50\d$/),
      'service sendMessageAgain 404', // asked for its time
      'service sendMessageAgain 202',
      'call sendMessageAgain 200',
    ]);
  });

  it('records a refused webhook with the status of its response', async () => {
    const { server, notify } = await notified();
    const webhook = { type: 'subscriptionUpdated', subscriptionId };
    const statuses = [
      await notify(webhook, { id: 'msg_1' }),
      await notify({ ...webhook, data: { other: true } }, { id: 'msg_1' }),
      await notify({ nothing: 'that is known' }, { id: 'msg_2' }),
    ];
    expect(statuses[0]).toBe(204);
    for (const status of statuses.slice(1)) expect(status).toBeGreaterThanOrEqual(400);
    const { data } = await server.done('getTimeline', { query: { kind: 'webhook' } });
    expect(data.map(({ status }) => status).reverse()).toEqual(statuses);
  });

  it('closes the event stream of a client that does not read, and continues (threat 6.7, 6.31)', async () => {
    const server = await consoleWithSandbox();
    const { port } = new URL(server.url);
    const following = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void following.destroy());
    following.write('GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(following, 'data');
    following.pause();
    const timeline = server.timelines.of(defaultWorkspace);
    const body = 'x'.repeat(64 * 1024);
    const { id: _, ...entry } = timelineEntry({ response: { headers: {}, body, bytes: body.length } });
    const passed = 1200;
    for (let turn = 1; turn <= passed; turn += 1) {
      timeline.add(() => entry);
      if (turn % 300 === 0) await timeline.list();
    }
    await server.done('getConsumerHealth');

    let received = 0;
    following.on('data', (piece: Buffer) => (received += piece.length));
    const closed = new Promise<void>((resolve) => void following.on('error', () => undefined).on('close', resolve));
    following.resume();
    await closed;
    expect(received).toBeLessThan(passed * body.length);
  });
});
