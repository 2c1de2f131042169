import { describe, expect, it } from 'vitest';
import { bankFilesMachine, providersMachine, translationsMachine } from '#machines/lookup/lookup.machine.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { failure } from '#tests/support/material.ts';

describe('a page that asks and shows', () => {
  it.each([
    ['bank files', bankFilesMachine, {}],
    ['providers', providersMachine, {}],
    ['translations', translationsMachine, { entityType: 'Provider', entityId: '', ruleId: '', field: 'uiLabel' }],
  ])('asks for %s as it opens', (_, machine, question) => {
    const { pending } = live(machine as typeof providersMachine, { input: { facts: everything } }); // they differ in their answers, which are not given here
    expect(pending('look').input).toEqual(question);
  });

  it('asks again with a changed question, whether there was an answer or not', async () => {
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
