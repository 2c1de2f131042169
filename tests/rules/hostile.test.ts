import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '#contract/lookup.ts';
import { partyForm, paymentForm, subscriptionForm } from '#rules/field.ts';
import { textAt } from '#rules/path.ts';
import { patternOf } from '#rules/pattern.ts';
import { additionalData, nested, paymentExtras } from '#rules/payload.ts';

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'a', 'b', ''];
const path = fc
  .tuple(
    fc.constantFrom('', 'additionalData.', 'payments.additionalData.', 'userIdentification.'),
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }),
  )
  .map(([prefix, parts]) => prefix + parts.join('.'));

const rule = (apiPath: string, jsonPath: string, fieldType = 'Text'): Rule => ({
  ruleId: jsonPath,
  validation: { apiPath, jsonPath, optionality: 'Required', fieldType },
});

/** All that every object and function inherits. */
const inherited = () =>
  [Object.prototype, Function.prototype, Array.prototype].map((prototype) => Object.getOwnPropertyNames(prototype));

describe('a hostile provider definition', () => {
  it('does not change inherited members, whatever its paths (threat 4.5)', () => {
    const before = inherited();
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 6 }), path, (paths, group) => {
        const subscription = subscriptionForm([
          ...paths.map((each) => rule('Subscriptions', each)),
          rule('Subscriptions', group, 'Array'),
        ]);
        const party = partyForm(
          paths.map((each) => rule('Creditors', each)),
          'Creditors',
        );
        const payment = paymentForm(paths.map((each) => rule('BatchPayments', each)));
        for (const form of [subscription, party, payment]) {
          const values = Object.fromEntries(form.fields.map(({ id }) => [id, 'polluted']));
          const body = nested(form, values);
          expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
          for (const each of paths) textAt(body, each);
          paymentExtras(form, values);
          expect(additionalData(form, values)).not.toMatch(/"(__proto__|constructor|prototype)":/);
        }
        expect(inherited()).toEqual(before);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  const evil = [
    '^(a+)+$',
    '(a|a)*b',
    '^(a|aa)+$',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=(a+)+b)c',
    '(?<=(a+)+)b',
    '^(?:a?){25}a{25}$',
    '(a*)*b',
    '(\\w+\\s?)*$',
    '^(\\d+)*-$',
    '(x+x+)+y',
    '^(a{1,50}){1,50}$',
    '(.+)\\1+z',
    `${'(a?'.repeat(60)}${')'.repeat(60)}b`,
    `^${'a*'.repeat(40)}$`,
    `(${'a|'.repeat(500)}a)*b`,
    '[^]*[^]*[^]*x',
  ];
  const worst = ['a', 'x', '1', 'a ', 'ab'].flatMap((part) => [part.repeat(256 / part.length), `${part.repeat(200)}!`]);

  it.each(evil)('is validated within 1 s despite its pattern: %s (threat 4.2)', (regex) => {
    const { test } = patternOf(regex);
    for (const value of [...worst, 'a'.repeat(100_000)]) {
      const started = performance.now();
      test?.(value);
      expect(performance.now() - started).toBeLessThan(1000);
    }
  });

  it('is validated within 1 s despite random patterns (threat 4.2)', () => {
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fc.constantFrom('a', 'x', '.', '\\w', '[^b]', '\\d', 'ab'),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{1,20}', '{5}', '*?'))
          .map(([of, times]) => `(?:${of})${times}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
        tie('pattern').map((of) => `(?=${of})`),
        tie('pattern').map((of) => `^${of}$`),
      ),
    }));
    let ran = 0;
    fc.assert(
      fc.property(pattern, fc.constantFrom(...worst), (regex, value) => {
        const { test } = patternOf(regex);
        const started = performance.now();
        if (test) ran += 1;
        test?.(value);
        return performance.now() - started < 1000;
      }),
      { numRuns: 2000 },
    );
    expect(ran).toBeGreaterThan(500);
  });
});
