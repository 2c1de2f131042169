import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timelineShapes, type TimelineEntry } from '#contract/timeline.ts';
import { calls, type CallName } from '#contract/calls.ts';
import { callPurposes } from '#contract/purposes.ts';
import { aligned } from '#app/tools/timeline/difference.ts';
import { countsIn, filterOf, noFilter, filterIn, searchOf } from '#app/tools/timeline/timelineFilter.ts';
import { matching, retriesIn } from '#rules/timeline.ts';
import { arrowsOf, placeOf, recordOf, withFollowing } from '#app/tools/timeline/arrows.ts';
import { purposeOf } from '#app/tools/timeline/format.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

describe('the comparison of two bodies', () => {
  it('aligns equal content whatever the order of its members (behaviour 10.17.10)', () => {
    expect(aligned('{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}').every(({ same }) => same)).toBe(true);
    const lines = aligned('{"a":1,"b":2}', '{"a":1,"b":3,"c":4}').filter(({ same }) => !same);
    expect(lines).toEqual([
      { first: '  "b": 2', second: '  "b": 3,', same: false },
      { first: null, second: '  "c": 4', same: false },
    ]);
    expect(aligned('plain\ntext', 'plain').map(({ first, second }) => [first, second])).toEqual([
      ['plain', 'plain'],
      ['text', null],
    ]);
    expect(aligned('', '')).toEqual([]);
  });
});

describe('the timeline’s filter', () => {
  it('is written to the address and read from it again', () => {
    const look = { ...noFilter, segment: 'all', find: 'a b&c', reads: true, entry: '1', view: 'sequence' } as const;
    expect(filterIn(searchOf(look))).toEqual(look);
    expect(searchOf(noFilter).toString()).toBe('');
    expect(filterIn(new URLSearchParams('show=nothing&view=x'))).toEqual(noFilter);
  });

  it('asks the server for nothing that it refuses, whatever an address says', () => {
    const times = fc.constantFrom('+010000-01-01T00:00:00Z', '-000001-01-01', '0000-01-01', '20261129', '1e3', '');
    const said = fc.dictionary(
      fc.constantFrom('show', 'find', 'reads', 'failed', 'journey', 'interaction'),
      fc.string(),
    );
    fc.assert(
      fc.property(said, times, fc.oneof(times, fc.string()), (others, from, to) => {
        const asked = filterOf(filterIn(new URLSearchParams({ ...others, from, to })));
        expect(timelineShapes.getTimeline.query.safeParse(asked).error).toBeUndefined();
      }),
    );
  });

  it('shows an interaction with its reads, whatever is hidden otherwise (behaviour 10.17.13)', () => {
    const look = { ...noFilter, interaction: 'i' };
    expect(filterIn(searchOf(look))).toEqual(look);
    expect(filterOf(look)).toMatchObject({ interaction: 'i', reads: 'true' });
    const own = timelineEntry({ id: '2', kind: 'service', interactionId: 'i' });
    const others = [
      timelineEntry({ id: '1', kind: 'call', request: { headers: {}, body: '{"interactionId":"i"}', bytes: 1 } }),
      timelineEntry({ id: '3', kind: 'webhook', answers: 'i' }),
      timelineEntry({ id: '4', kind: 'program', request: { ...key, headers: { 'x-idempotency-key': 'i' } } }),
    ];
    expect(matching([own, ...others], { interaction: 'i' }).map(({ id }) => id)).toEqual(['2', '3', '4']);
  });

  it.each([
    ['404', { status: '404' }],
    ['4xx', { status: '4xx' }],
    [' 5b0c91de-0000-4000-8000-0000000077a1 ', { text: '5b0c91de-0000-4000-8000-0000000077a1' }],
    ['/v3/providers', { text: '/v3/providers' }],
    ['x'.repeat(300), { text: 'x'.repeat(200) }],
  ])('turns the search text into a query: %s', (find, filter) => {
    expect(filterOf({ ...noFilter, find })).toEqual({
      kind: 'service,webhook,program',
      journey: '',
      interaction: '',
      reads: 'false',
      ...filter,
    });
  });
});

const key = { headers: { 'x-idempotency-key': 'key-1' }, body: '', bytes: 0 };
const mixed = [
  timelineEntry({ id: '1', kind: 'call', method: 'POST', status: 200 }),
  timelineEntry({ id: '2', kind: 'service', method: 'POST', status: 0, request: key, fault: 'answerLost' }),
  timelineEntry({ id: '3', kind: 'service', method: 'POST', status: 201, request: key }),
  timelineEntry({ id: '4', kind: 'service', method: 'GET', status: 200 }),
  timelineEntry({ id: '5', kind: 'service', method: 'GET', status: 404 }),
  timelineEntry({ id: '6', kind: 'service', method: 'GET', status: 200, fault: 'slow; rule=1' }),
  timelineEntry({ id: '7', kind: 'webhook', method: 'POST', status: 204 }),
  timelineEntry({ id: '8', kind: 'program', method: 'GET', status: 200 }),
  timelineEntry({ id: '9', kind: 'call', method: 'GET', status: 200 }),
];

describe('the timeline without background reads', () => {
  it('leaves out reads that have succeeded, but no write, failure, fault, webhook or call of a program (behaviour 10.17.4)', () => {
    expect(matching(mixed, { reads: 'false' }).map(({ id }) => id)).toEqual(['1', '2', '3', '5', '6', '7', '8']);
    expect(matching(mixed, { reads: 'true' })).toHaveLength(mixed.length);
  });

  it.each([
    [false, false, { service: '6', console: '1', webhooks: '1', programs: '1', all: '7' }],
    [true, false, { service: '7', console: '2', webhooks: '1', programs: '1', all: '9' }],
    [false, true, { service: '', console: '', webhooks: '', programs: '', all: '' }],
  ])(
    'counts each filter, with reads %s, unless there are older entries: %s (behaviour 10.17.12)',
    (reads, more, filters) => {
      const listed = matching(mixed, { reads: reads ? 'true' : 'false' });
      expect(countsIn({ entries: listed, more, state: 'live' })).toEqual(filters);
    },
  );
});

describe('retries', () => {
  it('are later calls of the service with the key of an earlier one, in whatever order they are listed (behaviour 10.17.12)', () => {
    expect([...retriesIn(mixed)]).toEqual(['3']);
    expect([...retriesIn(mixed.toReversed())]).toEqual(['3']);
    expect([...retriesIn(mixed.slice(2))]).toEqual([]);
    expect([...retriesIn([...mixed, timelineEntry({ id: '10', kind: 'service', request: key })])]).toEqual(['3', '10']);
  });
});

describe('the sequence diagram', () => {
  it('draws the call from browser to console to service and back, then the webhook (behaviour 10.17.10)', () => {
    const at = (seconds: string) => `2026-11-21T18:41:0${seconds}Z`;
    const arrows = arrowsOf([
      timelineEntry({ id: '3', kind: 'webhook', name: 'creditorputs', at: at('1.500'), ms: 0, status: 204 }),
      timelineEntry({
        id: '2',
        kind: 'call',
        method: 'POST',
        url: '/api-msg-v1/creditorputs',
        at: at('0.000'),
        ms: 40,
      }),
      timelineEntry({ id: '1', kind: 'service', method: 'POST', at: at('0.010'), ms: 20, status: 202 }),
    ]);
    expect(arrows.map(({ from, to, answer }) => `${from}${answer ? '⇠' : '→'}${to}`)).toEqual([
      'Browser→Console',
      'Console→Service',
      'Service⇠Console',
      'Console⇠Browser',
      'Service→Console',
      'Console⇠Service',
    ]);
  });

  it('draws a program’s calls from the program, to the service or, refused, to the console (behaviour 10.20.14)', () => {
    const at = '2026-11-21T18:41:00.000Z';
    const arrows = arrowsOf([
      timelineEntry({ id: '1', kind: 'program', method: 'POST', url: 'http://s/v3/batchpayments', at, ms: 5 }),
      timelineEntry({ id: '2', kind: 'program', method: 'POST', url: '/program/nothing', at, ms: 9 }),
    ]);
    expect(arrows.filter(({ answer }) => !answer).map(({ from, to }) => `${from}→${to}`)).toEqual([
      'Your program→Service',
      'Your program→Console',
    ]);
  });

  it('follows what a program has created, with the program’s own polls (behaviour 10.20.14)', () => {
    const of = (more: Partial<TimelineEntry>) => timelineEntry({ kind: 'program', url: 'http://s/v3/batchpayments', ...more }); // prettier-ignore
    const made = of({ id: '1', method: 'POST', at: at(0), response: own[1]!.response });
    const polls = ['2', '3'].map((id) =>
      of({ id, method: 'GET', at: at(1), url: `http://s/v3/batchpayments/${batchId}` }),
    );
    expect(recordOf([made])).toBe(batchId);
    expect(withFollowing([made], polls).entries.map(({ id }) => id)).toEqual(['1', '3']);
  });

  const batchId = '5071c811-1f15-4fc5-a6d1-000000000001';
  const at = (seconds: number) => `2026-11-21T18:41:0${seconds}.000Z`;
  const own = [
    timelineEntry({ id: '1', kind: 'call', method: 'POST', at: at(0), ms: 40 }),
    timelineEntry({
      id: '2',
      kind: 'service',
      method: 'POST',
      at: at(0),
      url: 'http://s/v3/batchpayments',
      response: { headers: {}, body: JSON.stringify({ data: { batchId } }), bytes: 1 },
    }),
  ];

  it('adds webhooks and polls about the created record, and merges repeated polls (behaviour 10.20.14)', () => {
    expect(recordOf(own)).toBe(batchId);
    const poll = (id: string, seconds: number) =>
      timelineEntry({
        id,
        kind: 'service',
        method: 'GET',
        at: at(seconds),
        url: `http://s/v3/batchpayments/${batchId}`,
      });
    const about = [
      own[1]!,
      poll('3', 1),
      poll('4', 2),
      timelineEntry({ id: '5', kind: 'webhook', name: 'batchUpdated', at: at(3) }),
      poll('6', 4),
      timelineEntry({ id: '7', kind: 'call', method: 'GET', at: at(5) }),
    ];
    const { entries, polls } = withFollowing(own, about);
    expect(entries.map(({ id }) => id)).toEqual(['1', '2', '4', '5', '6']);
    expect([...polls]).toEqual([['4', 2]]);
    expect(arrowsOf(entries, polls).map(({ label }) => label)).toContainEqual(expect.stringMatching(/2 polls$/));
  });

  it('marks a retry with the same key and an answer with the same record (behaviour 10.20.14)', () => {
    const again = { ...own[1]!, id: '3', at: at(1), request: key };
    const first = { ...own[1]!, request: key };
    const labels = arrowsOf([first, again]).map(({ label }) => label);
    expect(labels.filter((label) => label.includes('same'))).toEqual([
      expect.stringMatching(/^POST .* same key$/),
      expect.stringMatching(/same batch$/),
    ]);
    const other = { ...again, response: { ...again.response, body: again.response.body.replace('1"', '2"') } };
    expect(arrowsOf([first, other]).filter(({ label }) => label.includes('same batch'))).toEqual([]);
  });

  it.each([
    ['before the retry', 0.5, true],
    ['after the retry', 2, false],
  ])('marks the same batch of a lost response if a webhook named it %s (behaviour 10.20.14)', (_, seconds, marked) => {
    const answer = own[1]!.response;
    const lost = { ...own[1]!, status: 0, request: key, response: { ...answer, body: '' } };
    const again = { ...own[1]!, id: '9', at: at(1), request: key };
    const webhook = timelineEntry({
      id: '5',
      kind: 'webhook',
      at: at(seconds),
      request: { ...key, body: answer.body },
    });
    const labels = arrowsOf([lost, webhook, again]).map(({ label }) => label);
    expect(labels.some((label) => label.includes('same batch'))).toBe(marked);
  });

  it.each([
    ['batch', '{"data":{"batchId":"5071c811-1f15-4fc5-a6d1-000000000001"}}'],
    ['subscription', '{"data":{"subscriptionId":"5071c811-1f15-4fc5-a6d1-000000000002"}}'],
    ['answer', '{"data":{}}'],
    ['answer', ''],
  ])(
    'marks the same %s of a retry whose answer the service replays, without a webhook (behaviour 10.20.14)',
    (what, body) => {
      const lost = { ...own[1]!, status: 0, request: key, response: { headers: {}, body: '', bytes: 0 } };
      const replayed = { headers: { 'idempotent-replayed': 'true' }, body, bytes: 1 };
      const again = { ...own[1]!, id: '9', at: at(1), request: key, response: replayed };
      const marks = (entries: Parameters<typeof arrowsOf>[0]) =>
        arrowsOf(entries).flatMap(({ label }) => /same (?!key)\w+/.exec(label)?.[0] ?? []);
      expect(marks([lost, again])).toEqual([`same ${what}`]);
      expect(marks([again])).toEqual([]);
      expect(marks([lost, { ...again, response: { ...replayed, headers: {} } }])).toEqual([]);
    },
  );

  it('maps each service call and webhook to a fault lab operation, and console calls to none', () => {
    const [call, service] = own as [(typeof own)[number], (typeof own)[number]];
    expect(placeOf(service)).toEqual({ on: 'call', of: 'createBatch' });
    expect(placeOf(timelineEntry({ kind: 'service', method: 'GET', url: `http://s/v3/batchpayments/${batchId}` }))).toEqual({ on: 'call', of: 'batch' }); // prettier-ignore
    expect(placeOf(timelineEntry({ kind: 'webhook', name: 'batchUpdated' }))).toEqual({ on: 'webhook', of: 'batchUpdated' }); // prettier-ignore
    expect([placeOf(call), placeOf(timelineEntry({ kind: 'webhook', name: 'unknown' }))]).toEqual([null, null]);
  });
});

describe('the purpose of a call', () => {
  it('is one sentence for each console call and each service operation', () => {
    expect(Object.keys(callPurposes).sort()).toEqual((Object.keys(calls) as CallName[]).sort());
    const served = Object.entries(endpoints).filter(([name]) => !['authorize', 'keySet', 'transferRequest', 'messaging'].includes(name)); // prettier-ignore
    for (const [name, path] of served) {
      const said = ['GET', 'POST'].map((method) =>
        [path, `${path}/id`].map((each) => purposeOf(timelineEntry({ method, url: `http://s${each}?a=b` }))).join(''),
      );
      expect(said.join(''), name).toMatch(/\.$/);
    }
    expect(purposeOf(timelineEntry({ kind: 'webhook', name: 'batchUpdated' }))).toMatch(/\.$/);
  });
});
