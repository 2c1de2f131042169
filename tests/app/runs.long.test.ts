import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { walkOf } from '#runner/record.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { parseWalks, fileOf } from '#runner/file.ts';
import { everything } from '#tests/support/facts.ts';
import { path, walkerOn } from '#tests/support/journeyRunner.ts';

describe('the recorded run of a journey', () => {
  it('repeats the same choices and values when it is replayed (behaviour 10.19.4)', async () => {
    const { walker, server, connected, left } = await walkerOn();
    await walker.guided();
    await walker.all([{ journey: 'filePayment', values: {}, choices: { again: true, invoices: 2 } }]);
    connected.go('/');
    const walks = left.flatMap(([journey, snapshot]) => walkOf(journey, snapshot) ?? []);
    expect(walks.map(({ journey }) => journey)).toEqual([...path, 'filePayment']);
    expect(walks[0]?.values).toMatchObject({ providerCountry: 'GB', fileFormatCountry: 'GB', useNetwork: 'true' });
    expect(walks[7]?.choices).toEqual({ provider: (await walker.facts()).provider?.name });
    expect(walks[13]?.choices).toMatchObject({ invoices: 2, format: expect.any(String) as string });
    const repeated = parseWalks(fileOf(walks)).map((walk) =>
      walk.journey.endsWith('Payment') ? { ...walk, choices: { ...walk.choices, again: true } } : walk,
    );
    const again = await walker.all(repeated);
    expect(again.map(({ end, because }) => [end, because])).toEqual(repeated.map(() => ['done', '']));
    expect((await server.done('getFacts')).companies).toHaveLength(2);
  });

  const snapshot = (value: string, context: object, more: object = {}) =>
    ({
      value,
      status: 'active',
      context: { facts: everything, ...context },
      ...more,
    }) as unknown as AnyMachineSnapshot; // what a recorder reads of one
  it.each<[string, JourneyId, AnyMachineSnapshot]>([
    ['a form that was not submitted', 'company', snapshot('form.editing', {})],
    [
      'a journey that was cancelled',
      'company',
      snapshot('cancelled', {}, { status: 'done', output: { type: 'cancelled' } }),
    ],
    [
      'a subscription that is not authorised',
      'authorisation',
      snapshot('listing', { rows: [{ current: true, status: 'Rejected' }] }),
    ],
    ['a lookup', 'providers', snapshot('shown', {})],
  ])('is null for %s', (_, journey, now) => {
    expect(walkOf(journey, now)).toBeNull();
  });

  it('contains no secret that the user typed (behaviour 10.19.4)', () => {
    const form = { fields: [{ id: 'name' }, { id: 'key', secret: true }] };
    const output = { type: 'succeeded', result: null };
    const done = snapshot('succeeded', { form, values: { name: 'A', key: 's3cret' } }, { status: 'done', output });
    expect(walkOf('company', done)).toEqual({ journey: 'company', values: { name: 'A' }, choices: {} });
  });
});
