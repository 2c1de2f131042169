import { describe, expect, it } from 'vitest';
import { openApi } from '#server/api/openapi.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { filled } from '#tests/support/bodies.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';

const account = {
  type: 'Account',
  attributes: { ...filled('account'), externalSource: 'a-program' },
  owner: { user: { email: 'user@example.com', locale: 'en-GB', identityId: 'user' } },
};
const dataset = { type: 'DataSet', attributes: filled('dataset') };
const kinds = [
  { path: '/api/account', at: endpoints.accounts, printed: account, content: account },
  { path: '/api/dataset', at: endpoints.datasets, printed: { attributes: dataset.attributes }, content: dataset },
] as const;

/** A logged-in console; `post` sends a body as another program does. */
async function loggedIn() {
  let turn = 0;
  const created: Script = (...exchange) => answering({ data: { id: `created-${(turn += 1)}` } }, 201)(...exchange);
  const service = await fakeUpstream({ [endpoints.accounts]: created, [endpoints.datasets]: created });
  const { url, store } = await testConsole({ upstreamUrl: service.url });
  await store.settings.write('userJwt', unsignedJwt());
  const post = async (path: string, body: unknown, key = '') => {
    const headers = { 'content-type': 'application/json', ...(key !== '' && { 'idempotency-key': key }) };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { data?: unknown; code?: string; errors?: { path: string }[] };
    return { status: response.status, replayed: response.headers.get('idempotent-replay'), answer };
  };
  return { service, post };
}

describe.each(kinds)('POST $path', ({ path, at, printed, content }) => {
  it('accepts the printed body and the same within data, and sends the service the same (behaviour 7.16)', async () => {
    const { service, post } = await loggedIn();
    const bodies = [printed, content, { data: content }, { data: printed }, { ...printed, note: 'unknown' }];
    for (const [index, body] of bodies.entries())
      expect(await post(path, body)).toMatchObject({
        status: 200,
        answer: { data: { data: { id: `created-${index + 1}` } } },
      });
    const sent = service.askedFor(at).map(({ body }) => JSON.parse(body) as unknown);
    expect(sent).toEqual(Array.from({ length: 5 }, () => ({ data: content })));
  });

  it('takes both forms for the same write under one idempotency key', async () => {
    const { service, post } = await loggedIn();
    expect(await post(path, printed, 'one-key')).toMatchObject({ status: 200, replayed: null });
    expect(await post(path, { data: content }, 'one-key')).toMatchObject({ status: 200, replayed: 'true' });
    expect(service.askedFor(at)).toHaveLength(1);
  });

  it.each([
    ['a member of the printed body beside data', { data: content, attributes: content.attributes }, ['attributes']],
    ['another type in the printed body', { ...printed, type: 'Other' }, ['type']],
    ['another type within data', { data: { ...content, type: 'Other' } }, ['data.type']],
    ['no member at all', {}, null],
    [
      'a member without a value',
      { ...printed, attributes: { ...content.attributes, externalId: '' } },
      ['attributes.externalId'],
    ],
    [
      'a number in place of a text',
      { data: { ...content, attributes: { ...content.attributes, externalId: 7 } } },
      ['data.attributes.externalId'],
    ],
    ['data that is null', { data: null }, ['data']],
    ['a list', [printed], ['body']],
  ])('refuses %s, names the place and sends nothing', async (_, body, paths) => {
    const { service, post } = await loggedIn();
    const { status, answer } = await post(path, body);
    expect([status, answer.code]).toEqual([400, 'invalid-request']);
    const named = answer.errors?.map((each) => each.path);
    if (paths) expect(named).toEqual(paths);
    else expect(named).toContain('attributes');
    expect(service.askedFor(at)).toEqual([]);
  });

  it('is described with both bodies in OpenAPI', () => {
    const described = openApi().paths[path] as { post: { requestBody: { content: { 'application/json': unknown } } } };
    const members = (form: { properties: object; required: string[] }) => [Object.keys(form.properties), form.required];
    const { schema } = described.post.requestBody.content['application/json'] as {
      schema: { oneOf: Parameters<typeof members>[0][] };
    };
    const all = Object.keys(content);
    expect(schema.oneOf.map(members)).toEqual([
      [all, all.filter((member) => member in printed)],
      [['data'], ['data']],
    ]);
  });
});
