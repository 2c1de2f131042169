import { describe, expect, it } from 'vitest';
import { frameDelay, frameMachine } from '#machines/lib/frame.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const open = (link = 'https://bank.test/authorise', around = 'https://console.test/subscriptionlist') =>
  run(frameMachine, { link, around });
const loaded = { type: 'frame.loaded' };
const none = { refusal: '', certain: false };
const header = { refusal: 'It answers with X-Frame-Options: DENY', certain: true };
const status = { refusal: 'It answers with status 404', certain: false };

describe('a page in a frame', () => {
  it.each([
    ['refuses frames', header, 'refused'],
    ['answers with an error', status, 'doubtful'],
    ['permits frames', none, 'shown'],
  ])('that %s is told so, although its frame loads before or after that (behaviour 4.56)', async (_, answer, at) => {
    const early = open();
    await early.sends(loaded);
    await early.answer('readFraming', answer);
    const late = open();
    await late.answer('readFraming', answer);
    await late.sends(loaded);
    expect([early.at(), late.at()]).toEqual([at, at]);
    expect([early.context()['reason'], late.context()['reason']]).toEqual([answer.refusal, answer.refusal]);
  });

  it('that never loads is late, until it loads after all (behaviour 4.56)', async () => {
    const { answer, pass, at, sends, context } = open();
    await answer('readFraming', none);
    await pass(frameDelay - 1);
    expect(at()).toBe('loading');
    await pass(1);
    expect([at(), context()['reason']]).toEqual(['late', 'It has not loaded within 10 s']);
    await sends(loaded);
    expect(at()).toBe('shown');
  });

  it('whose header cannot be read is judged by its frame alone', async () => {
    const before = open();
    await before.sends(loaded);
    await before.refuse('readFraming', failure);
    const after = open();
    await after.refuse('readFraming', failure);
    expect([before.at(), after.at()]).toEqual(['shown', 'loading']);
  });

  it.each([
    ['http://bank.test/', 'https://console.test/', 'refused'],
    ['http://127.0.0.1.bank.test/', 'https://console.test/', 'refused'],
    ['http://127.0.0.1:4001/', 'https://console.test/', 'asking'],
    ['http://localhost:4001/', 'https://console.test/', 'asking'],
    ['http://bank.test/', 'http://console.test/', 'asking'],
    ['https://bank.test/', 'https://console.test/', 'asking'],
  ])('at %s in a page at %s is %s: browsers block http inside https', (link, around, at) => {
    const frame = open(link, around);
    expect([frame.at(), frame.calls.length]).toEqual([at, Number(at === 'asking')]);
  });
});

describeWatched(frameMachine);
