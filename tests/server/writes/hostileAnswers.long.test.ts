import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import type { Request } from '#tests/support/api.ts';
import { batch, creatingWrites } from '#tests/support/creatingWrites.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';

/** What the service says in each answer, which its user has to see. */
const words = 'The limit of branch 7 is reached';

/** What an answer may name. */
interface Named {
  /** The answer that names an id as the protocol does. */
  of: (id: string) => object;
  /** The path of the resource with an id. */
  at: (id: string) => string;
}

/** An answer to a write. */
interface Answer {
  status: number;
  /** A text, an object or list as JSON, or bytes. */
  body: (named: Named) => string | Buffer | object;
  headers?: (named: Named) => Record<string, string>;
  trailers?: (named: Named) => Record<string, string>;
  /** Statuses that are announced before. */
  interim?: readonly number[];
}

const problem = { title: 'No', code: 'Limit', detail: words };
const html = `<html><head><title>Blocked</title></head><body>${words}</body></html>`;
const json = { 'content-type': 'application/json' };
const page = { 'content-type': 'text/html; charset=utf-8' };
/** A refusal that is none in the strict shape, because of what it has as well. */
const refusedWith = (more: (named: Named) => object, status = 422): Answer => ({
  status,
  body: (named) => ({ ...problem, status, ...more(named) }),
});
const pageOf = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  body: () => html,
  headers: () => ({ ...page, ...headers }),
});
const text = (status: number, body: string, headers: Record<string, string> = json): Answer => ({
  status,
  body: () => body,
  headers: () => headers,
});

const ofOthers = '201 with another in its list';
/** Answers that do not say what became of the write. */
const unclear: Record<string, Answer> = {
  // Refusals in which something was made.
  '422 with a link to what was made': refusedWith(({ at }) => ({ links: { self: at('made') } })),
  '422 with what was made embedded': refusedWith(() => ({ _embedded: { batch: { id: 'made' } } })),
  '422 with what was made in a list': refusedWith(() => ({ data: [{ id: 'made' }] })),
  '422 with the answer of a success': refusedWith(({ of }) => of('made')),
  '422 with what was made in its words alone': text(422, JSON.stringify({ title: `${words}: batch made was created` })),
  '422 with a count of accepted payments': refusedWith(() => ({ acceptedPayments: 1 })),
  '422 with a success as a text': refusedWith(() => ({ success: 'true' })),
  '422 with a success as its title alone': text(422, JSON.stringify({ message: `${words}. Batch created` })),
  '422 with Location': { ...refusedWith(() => ({})), headers: ({ at }) => ({ ...json, location: at('made') }) },
  '422 with Content-Location': {
    ...refusedWith(() => ({})),
    headers: ({ at }) => ({ ...json, 'content-location': at('made') }),
  },
  '422 with Link': {
    ...refusedWith(() => ({})),
    headers: ({ at }) => ({ ...json, link: `<${at('made')}>; rel="self"` }),
  },
  '422 with Location after its chunks': {
    ...refusedWith(() => ({})),
    headers: () => ({ ...json, trailer: 'Location' }),
    trailers: ({ at }) => ({ location: at('made') }),
  },
  '422 after announcements, with a link': {
    ...refusedWith(({ at }) => ({ links: { self: at('made') } })),
    interim: [102, 103],
  },
  '422 whose status is a text': refusedWith(() => ({ status: '422' })),
  '422 that states another status': refusedWith(() => ({ status: 201 })),
  '422 with its code twice': text(422, `{"code":"Limit","code":"Created","detail":"${words}"}`),
  '422 with its code twice, once escaped': text(422, `{"code":"Limit","c\\u006fde":"Created","detail":"${words}"}`),
  '422 with a number for a code': refusedWith(() => ({ code: 422 })),
  '422 with a number as a text for a code': refusedWith(() => ({ code: '422' })),
  '422 in a list': { status: 422, body: () => [problem] },
  '422 in nested lists': { status: 422, body: () => [[[problem]]] },
  '422 in its data': { status: 422, body: () => ({ data: problem }) },
  '422 with nested errors': refusedWith(() => ({ errors: [[{ path: 'a', message: words }]] })),
  '422 with errors that name what was made': refusedWith(() => ({
    errors: [{ path: 'a', message: words, batchId: 'made' }],
  })),
  '422 with several answers in its text': text(422, `${JSON.stringify(problem)}\n${JSON.stringify(problem)}`),
  '422 that was cut within its text': text(422, JSON.stringify(problem).slice(0, -4)),
  '422 as text': text(422, JSON.stringify(problem), { 'content-type': 'text/plain' }),
  '422 without a type': text(422, JSON.stringify(problem), {}),
  '422 that is compressed': {
    status: 422,
    body: () => gzipSync(JSON.stringify(problem)),
    headers: () => ({ ...json, 'content-encoding': 'gzip' }),
  },
  // Conflicts, and what a proxy says.
  '409 in the strict shape': { status: 409, body: () => ({ ...problem, status: 409 }) },
  '409 with what was made': refusedWith(({ of }) => of('made'), 409),
  '400 without a body': text(400, '', {}),
  '400 with blanks': text(400, '  \n'),
  '400 with an empty object': text(400, '{}'),
  '400 with null': text(400, 'null'),
  '401 of a proxy': pageOf(401, { 'www-authenticate': 'Basic realm="proxy"' }),
  '403 of a firewall': pageOf(403, { server: 'proxy' }),
  '403 with a word alone': text(403, `{"message":"${words}"}`),
  '404 of a proxy': pageOf(404),
  '405 of a proxy': pageOf(405, { allow: 'GET' }),
  '407 of a proxy': pageOf(407),
  '408 in the strict shape': { status: 408, body: () => ({ ...problem, status: 408 }) },
  '413 of a proxy': pageOf(413, { 'retry-after': '3' }),
  '421 in the strict shape': { status: 421, body: () => ({ ...problem, status: 421 }) },
  '425 in the strict shape': { status: 425, body: () => ({ ...problem, status: 425 }) },
  '429 of a proxy': pageOf(429, { 'retry-after': '3' }),
  '429 with a word alone': text(429, `{"message":"${words}"}`, { ...json, 'retry-after': '3' }),
  '451 of a proxy': pageOf(451, { link: '<https://example.com/law>; rel="blocked-by"' }),
  '418 in the strict shape': { status: 418, body: () => ({ ...problem, status: 418 }) },
  '499 in the strict shape': { status: 499, body: () => ({ ...problem, status: 499 }) },
  '500 in the strict shape': { status: 500, body: () => ({ ...problem, status: 500 }) },
  '502 of a proxy': pageOf(502),
  '503 in the strict shape': { status: 503, body: () => ({ ...problem, status: 503 }) },
  '504 of a proxy': pageOf(504),
  '520 of a proxy': pageOf(520),
  // Redirects and successes of other kinds.
  '302 to what was made': { status: 302, body: () => '', headers: ({ at }) => ({ location: at('made') }) },
  '303 to what was made': { status: 303, body: () => '', headers: ({ at }) => ({ location: at('made') }) },
  '304 without a body': { status: 304, body: () => '' },
  '307 to another host': { status: 307, body: () => '', headers: () => ({ location: 'https://other.example/' }) },
  '203 with what was made': { status: 203, body: ({ of }) => of('made') },
  '204 without a body': { status: 204, body: () => '' },
  '205 without a body': { status: 205, body: () => '' },
  '206 with what was made': {
    status: 206,
    body: ({ of }) => of('made'),
    headers: () => ({ ...json, 'content-range': 'bytes 0-9/10' }),
  },
  '207 with several answers': { status: 207, body: ({ of }) => ({ responses: [{ status: 201, ...of('made') }] }) },
  '226 with what was made': { status: 226, body: ({ of }) => of('made') },
  '200 without a body': text(200, ''),
  '200 with a problem': text(200, JSON.stringify({ ...problem, status: 422 }), {
    'content-type': 'application/problem+json',
  }),
  '200 with a page': pageOf(200),
  '200 with null': text(200, 'null'),
  '200 with a list of what was made': { status: 200, body: ({ of }) => [of('made')] },
  '200 with what was made twice in its text': { status: 200, body: ({ of }) => JSON.stringify(of('made')).repeat(2) },
  '202 without a body': text(202, ''),
  '202 with a promise': text(202, '{"status":"accepted"}'),
  '201 with Location alone': { status: 201, body: () => '', headers: ({ at }) => ({ location: at('made') }) },
  '201 with the link of another': {
    status: 201,
    body: ({ of, at }) => ({ ...of('made'), links: { self: at('other') } }),
  },
  [ofOthers]: {
    status: 201,
    body: ({ of }) => ({ ...of('made'), included: [of('other'), { self: '/' }] }),
  },
  '201 with the Location of another': {
    status: 201,
    body: ({ of }) => of('made'),
    headers: ({ at }) => ({ ...json, location: at('other') }),
  },
  '201 with the Location of another after its chunks': {
    status: 201,
    body: ({ of }) => of('made'),
    headers: () => ({ ...json, trailer: 'Location' }),
    trailers: ({ at }) => ({ location: at('other') }),
  },
  '201 with a blank id': { status: 201, body: ({ of }) => of('  ') },
  '201 with a member twice': {
    status: 201,
    body: ({ of }) => JSON.stringify(of('made')).replace('{', '{"x":1,"x":2,'),
  },
  '201 that was cut within its text': { status: 201, body: ({ of }) => JSON.stringify(of('made')).slice(0, -1) },
};

/** Refusals by a service that has done nothing. */
const refused: Record<string, Answer> = {
  '422 as a problem': refusedWith(() => ({})),
  '422 after announcements': { ...refusedWith(() => ({})), interim: [102, 103] },
  '400 with a list of errors': { status: 400, body: () => ({ errors: [{ path: 'a', message: words }] }) },
  '403 in the other form': { status: 403, body: () => ({ error: { code: 'Limit', message: words } }) },
  '413 in the strict shape': refusedWith(() => ({}), 413),
  '429 in the strict shape': refusedWith(() => ({}), 429),
  '451 in the strict shape': refusedWith(() => ({}), 451),
};

function send(response: ServerResponse, { status, body, headers, trailers, interim = [] }: Answer, named: Named): void {
  for (const each of interim) if (each === 102) response.writeProcessing();
  if (interim.includes(103)) response.writeEarlyHints({ link: '</style>; rel=preload' });
  const sent = body(named);
  const bytes = typeof sent === 'string' || Buffer.isBuffer(sent) ? sent : JSON.stringify(sent);
  response.writeHead(status, headers?.(named) ?? json);
  if (trailers) {
    response.write(bytes);
    response.addTrailers(trailers(named));
    return void response.end();
  }
  response.end([204, 205, 304].includes(status) ? undefined : bytes);
}

const isSaid = ({ detail, upstream }: Problem, status: number): boolean =>
  detail.includes(words) || Boolean(upstream?.body.includes(words)) || detail.includes(`status ${status}`);

describe.each(creatingWrites)('%s', (name, prefix, of, request) => {
  const ask = name as 'createBatch'; // all are called alike
  const collection = prefix.slice(prefix.lastIndexOf('/') + 1);
  const named: Named = { of, at: (id) => `https://service.example/v3/${collection}/${id}` };

  async function served() {
    const service = await fakeUpstream({});
    const server = await testConsole({ upstreamUrl: service.url });
    await server.store.settings.writeAll({
      organisationId: 'o',
      companyId: 'c',
      companySigningKey: 'k',
      userJwt: unsignedJwt(),
      accountId: 'a',
    });
    const asks = (turn: string, key = turn) => server.call(ask, { ...(request(turn) as Request<'createBatch'>), key });
    const answers = (answer: Answer) => void (service.scripts[prefix] = (response) => send(response, answer, named));
    const makes = (id: string) => void (service.scripts[prefix] = answering(of(id), 201));
    return { service, asks, answers, makes };
  }

  it('whose answer does not say what became of it has an unknown outcome, told in the words of the service, and is repeated under its key (wire 4.3, 4.4, 4.5; threat 3.30, 3.31)', async () => {
    const { service, asks, answers, makes } = await served();
    for (const [index, [how, answer]] of Object.entries(unclear).entries()) {
      // Other things have an `id` as well.
      if (answer === unclear[ofOthers] && 'id' in ((of('') as { data?: object }).data ?? {})) continue;
      const turn = `${index}-T`;
      answers(answer);
      const before = service.askedFor(prefix).length;
      const reply = await asks(turn);
      if (reply.ok) throw new Error(`done by ${how}: ${JSON.stringify(reply.answer)}`);
      expect([how, reply.problem.outcome]).toEqual([how, 'unknown']);
      if (answer.status >= 400) expect([how, isSaid(reply.problem, answer.status)]).toEqual([how, true]);
      makes(`settled-${turn}`);
      expect([how, await asks(turn)]).toMatchObject([how, { ok: true }]);
      const sent = service.askedFor(prefix).slice(before);
      expect([how, new Set(sent.map(({ headers }) => headers['x-idempotency-key'])).size]).toEqual([how, 1]);
    }
  });

  it('that is refused in the strict shape may be sent anew under another key (wire 4.4)', async () => {
    const { asks, answers, makes } = await served();
    for (const [index, [how, answer]] of Object.entries(refused).entries()) {
      const turn = `${index}-R`;
      answers(answer);
      expect([how, await asks(turn)]).toMatchObject([how, { ok: false, problem: { outcome: 'refused' } }]);
      makes(`anew-${turn}`);
      expect([how, await asks(turn, `${turn}-anew`)]).toMatchObject([how, { ok: true }]);
    }
  });
});

it('An invoice whose payment was answered without saying what became of it is not free, and paid anew only by a user who has confirmed it with these words (behaviour 4.64; threat 3.31)', async () => {
  const of = (batchId: string) => ({ data: { batchId } });
  const named: Named = { of, at: (id) => `${endpoints.batches}/${id}` };
  const service = await fakeUpstream({});
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  for (const [index, [how, answer]] of Object.entries(unclear).entries()) {
    const turn = `${index}-T`;
    const { externalId: _none, ...reviewed } = batch(turn);
    service.scripts[endpoints.batches] = (response) => send(response, answer, named);
    const { outcome, detail } = await server.refused('createBatch', { body: batch(turn), key: turn });
    expect([how, outcome]).toEqual([how, 'unknown']);
    service.scripts[endpoints.batches] = answering(of(`anew-${turn}`), 201);
    const other = await server.call('createBatch', { body: batch(turn), key: `${turn}-anew` });
    expect([how, other]).toMatchObject([how, { problem: { code: 'paid-already', outcome: 'not-sent' } }]);
    const { key, first, covered, shown } = (await server.done('preparePayment', { body: reviewed })).data;
    const pending = (await server.done('getFacts')).pendingPayments.find((each) => each.key === turn);
    expect([how, pending?.lost]).toEqual([how, detail]);
    if (first) {
      expect([
        how,
        key,
        answer.status < 400 || answer.status >= 500 || [408, 425, 429].includes(answer.status),
      ]).toEqual([how, turn, true]);
      continue;
    }
    const said = { state: 'unknown', says: detail };
    expect([how, covered]).toMatchObject([how, [said, said]]);
    const confirmed = { body: { ...batch(turn), externalId: key }, key, query: { again: 'true' as const, shown } };
    expect([how, await server.call('createBatch', confirmed)]).toMatchObject([how, { ok: true }]);
  }
});
