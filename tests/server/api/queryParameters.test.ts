import { describe, expect, it } from 'vitest';
import { calls, type CallName } from '#contract/calls.ts';
import { subjectHeader } from '#contract/constants.ts';
import { collectionPaths } from '#contract/exports.ts';
import type { Problem } from '#contract/problem.ts';
import { consoleWithSandbox, testConsole } from '#tests/support/console.ts';
import { openApi } from '#server/api/openapi.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { filled } from '#tests/support/bodies.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

async function ask(url: string, name: CallName, query: string) {
  const { method, path } = calls[name];
  // The one part of a path that is not anybody's id.
  const at = path.replace('{operation}', 'createBatch').replace(/\{\w+\}/g, 'x');
  const asked = `${url}${at}?${query}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(asked, { method, headers, ...(method !== 'GET' && { body: '{}' }) });
  return { status: answer.status, problem: JSON.parse(await answer.text()) as Problem };
}

/** What a user may take for a parameter: an id, a name in other letters, a name of every object, a misspelt one, a mark against caches. */
const unknown = [
  'id=1',
  'Limit=1',
  '__proto__=1',
  'constructor=1',
  'subscriptonId=1',
  '_=1764370000',
  'id[]=1',
  '=1',
  'id',
];

describe('a query with a parameter that a call does not have', () => {
  it('is refused by each call and named (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    for (const [place, name] of (Object.keys(calls) as CallName[]).entries())
      // Each of them at one call, and one after the other at the rest.
      for (const query of place === 0 ? unknown : [unknown[place % unknown.length]!]) {
        const { status, problem } = await ask(url, name, query);
        const [parameter] = query.split('=');
        expect([status, problem.errors?.map(({ path }) => path)], `${name}?${query}`).toEqual([400, [parameter]]);
      }
  });

  it('is told which ones the call has (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    const { problem } = await ask(url, 'getTimeline', 'id=1');
    expect(problem.detail).toMatch(
      /^The query is not valid\. id: is none of its parameters: journey, entry, interaction,/,
    );
    expect((await ask(url, 'getFacts', 'id=1')).problem.detail).toBe(
      'The query is not valid. id: it has no parameters',
    );
  });

  it('is refused by each export (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    for (const path of [...Object.values(collectionPaths), '/api/timeline.har', '/api/timeline.zip']) {
      const answer = await fetch(`${url}${path}?id=1`);
      expect(answer.status, path).toBe(400);
      expect(((await answer.json()) as Problem).errors).toMatchObject([{ path: 'id' }]);
    }
  });

  it('is not one that names the user of the page (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    const answer = await fetch(`${url}/api/facts?${subjectHeader}=`);
    expect(answer.status).toBe(200);
  });
});

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
