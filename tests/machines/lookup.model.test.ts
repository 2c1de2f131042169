import { describe, expect, it } from 'vitest';
import {
  bankFilesMachine,
  consumerHealthMachine,
  healthNews,
  messagingHealthMachine,
  providersMachine,
  translationsMachine,
} from '#machines/lookup/lookup.machine.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

describe('a lookup page', () => {
  it.each([
    ['the health of the consumer API', consumerHealthMachine, {}],
    ['the health of the messaging API', messagingHealthMachine, {}],
    ['bank files', bankFilesMachine, {}],
    ['providers', providersMachine, {}],
    ['translations', translationsMachine, { entityType: 'Provider', entityId: '', ruleId: '', field: 'uiLabel' }],
  ])('requests %s when it opens', (_, machine, question) => {
    const { pending } = live(machine as typeof providersMachine, { input: { facts: everything } }); // they differ in their answers, which are not given here
    expect(pending('look').input).toEqual(question);
  });

  it('requests again with a changed query, after a response or a failure', async () => {
    const { answer, refuse, send, pending, calls } = live(providersMachine, { input: { facts: everything } });
    await answer('look', { country: 'GB', language: 'en', found: [] });
    await send({ type: 'question.change', name: 'country', value: 'FR' });
    expect(pending('look').input).toEqual({ country: 'FR' });
    await refuse('look', failure);
    await send({ type: 'question.change', name: 'language', value: 'fr' });
    expect(pending('look').input).toEqual({ country: 'FR', language: 'fr' });
    expect(calls).toHaveLength(3);
  });
});

describe('the report on a health page', () => {
  const row = {
    version: '1',
    branch: 'main',
    name: 'api',
    status: 'OK',
    httpStatus: 200,
    readAt: '2026-11-20T09:00:00.000Z',
  };
  const later = { ...row, readAt: '2026-11-20T10:00:00.000Z' };

  it('is empty after the first check, and while nothing was read', () => {
    expect(healthNews(null, row)).toBe('');
    expect(healthNews(row, null)).toBe('');
  });

  it('states that nothing has changed, or the previous value of each change', () => {
    expect(healthNews(row, later)).toBe('Nothing has changed since the last check.');
    expect(healthNews(row, { ...later, version: '2' })).toBe('Changed since the last check: version was 1.');
    expect(healthNews(row, { ...later, name: 'x', branch: 'x', status: 'x' })).toBe(
      'Changed since the last check: status was OK, branch was main, name was api.',
    );
  });
});
