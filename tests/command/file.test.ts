import { describe, expect, it } from 'vitest';
import { parseWalks } from '#runner/file.ts';
import { fileOf } from '#tests/support/journeyFile.ts';

const file = (journeys: unknown, more: object = {}) =>
  JSON.stringify({ kind: 'payments-out-journeys', version: 1, journeys, ...more });

const refusal = (text: string): string => {
  try {
    parseWalks(text);
  } catch (error) {
    return (error as Error).message; // parseWalks throws errors
  }
  return 'taken';
};

describe('a journey file', () => {
  it('is read as it was written, in order and without empty members (behaviour 10.19.4)', () => {
    const walks = [
      { journey: 'settings', values: { providerCountry: 'GB' }, choices: {} },
      { journey: 'creditor', values: { 'creditor.name': 'A' }, choices: {} },
      { journey: 'creditor', values: { 'creditor.name': 'B' }, choices: { decision: 'approve' } },
      { journey: 'electronicPayment', values: {}, choices: { invoices: 3, again: true } },
    ] as const;
    const text = fileOf(walks);
    expect(parseWalks(text)).toEqual(walks);
  });

  it('names a journey without values by its id alone', () => {
    expect(parseWalks(file(['settings']))).toEqual([{ journey: 'settings', values: {}, choices: {} }]);
  });

  it.each([
    [
      'invalid JSON',
      'settings',
      /^The file is not JSON \(.+\): give a file of journeys, as docs\/journeys\.md describes it\.$/,
    ],
    [
      'an array in place of an object',
      '[]',
      /^The file is not an object: give \{ "kind": "payments-out-journeys", "version": 1, "journeys": \[…\] \}\.$/,
    ],
    ['another kind of file', '{"kind":"har"}', /^kind is "har": a file of journeys says "payments-out-journeys"\.$/],
    ['a missing kind', '{}', /^kind is missing: /],
    ['another version', file(['settings'], { version: 2 }), /^version is 2: this console reads version 1\.$/],
    [
      'an unknown member',
      file(['settings'], { order: [] }),
      /^order is not part of the file: there are kind, version, journeys\.$/,
    ],
    ['no journeys', file([]), /^journeys is \[\]: give a list of at least one journey, in their order\.$/],
    [
      'an unknown journey',
      file(['settings', 'pay']),
      /^journeys\[1\]\.journey is "pay", which is not a journey: there are settings, /,
    ],
    ['an inherited name', file(['constructor']), /^journeys\[0\]\.journey is "constructor", which is not a journey: /],
    ['a journey that is a number', file([7]), /^journeys\[0\] is 7: give the id of a journey, or an object/],
    [
      'an unknown member of a journey',
      file([{ journey: 'company', data: {} }]),
      /^journeys\[0\]\.data is not part of a journey: there are journey, values, choices\.$/,
    ],
    [
      'an unknown field',
      file([{ journey: 'company', values: { nmae: 'X' } }]),
      /^journeys\[0\]\.values\.nmae is not a field of company: there are name, externalId, /,
    ],
    [
      'a value that is not a string',
      file([{ journey: 'creditor', values: { name: 7 } }]),
      /^journeys\[0\]\.values\.name is 7: give a text, in quotation marks\.$/,
    ],
    [
      'an array of values',
      file([{ journey: 'creditor', values: [] }]),
      /^journeys\[0\]\.values is \[\]: give an object of texts by field\.$/,
    ],
    [
      'an unknown choice',
      file([{ journey: 'creditor', choices: { debtor: 'X' } }]),
      /^journeys\[0\]\.choices\.debtor is not a choice of creditor: there are decision\.$/,
    ],
    [
      'a choice for a journey without choices',
      file([{ journey: 'settings', choices: { date: 'X' } }]),
      /^journeys\[0\]\.choices\.date is not a choice of settings: there are none\.$/,
    ],
    [
      'no invoices',
      file([{ journey: 'filePayment', choices: { invoices: 0 } }]),
      /^journeys\[0\]\.choices\.invoices is 0: it is how many .+; give a whole number from 1, or a list of texts\.$/,
    ],
    [
      'a wrong decision',
      file([{ journey: 'authorisation', choices: { decision: 'maybe' } }]),
      /^journeys\[0\]\.choices\.decision is "maybe": .+; give one of approve, reject, cancel, expire\.$/,
    ],
    [
      'a choice of yes in place of true',
      file([{ journey: 'filePayment', choices: { again: 'yes' } }]),
      /^journeys\[0\]\.choices\.again is "yes": .+; give true or false\.$/,
    ],
  ])('with %s is refused with the place, the error and the correction (threat 6.39)', (_, text, says) => {
    expect(refusal(text)).toMatch(says);
  });
});
