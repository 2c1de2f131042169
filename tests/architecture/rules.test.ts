import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultsOf, rulesOf, tagsIn } from '#tests/support/numberedRules.ts';

const documents = { behaviour: 'docs/behaviour.md', threat: 'docs/threats.md', wire: 'docs/wire.md' } as const;

const tags = execFileSync('git', ['ls-files', '-z', 'tests'])
  .toString()
  .split('\0')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(file) && !file.endsWith('architecture/rules.test.ts'))
  .flatMap((file) => tagsIn(readFileSync(file, 'utf8')));

describe('the numbered rules', () => {
  it.each(Object.entries(documents))(
    '%s: each rule has a test or a reason for having none, and tests cite existing rules only',
    (name, file) => {
      const rules = rulesOf(readFileSync(file, 'utf8'));
      expect(rules.length).toBeGreaterThan(60);
      expect(faultsOf(name, rules, tags)).toEqual([]);
    },
  );

  it('are the only rules that test titles cite', () => {
    expect(tags.length).toBeGreaterThan(500);
    expect(tags.filter(({ document }) => !Object.keys(documents).includes(document))).toEqual([]);
  });
});

describe('the check of numbered rules', () => {
  const toy = `# Toy

- An introduction.

## 1. Forms

- **1.1** The page shows a form.
- **1.2** The server validates it.
- **1.3** The sender is trusted. No test: it is another program.

### 1.4 Fields

- **1.4.1** A field has a label.

## Not promised

- Anything else.
`;
  const faults = (source: string, markdown = toy) => faultsOf('behaviour', rulesOf(markdown), tagsIn(source));
  const complete = `it('shows a form (behaviour 1.1, 1.2; threat 9.9)', () => {});
    it.each([1])("labels field %i (behaviour 1.4.1)", () => {});`;

  it('reads the numbers at the end of titles, of several documents and in any kind of quotes', () => {
    const source = `it('a (behaviour 1.1, 2.3; threat 3.2)', x); it.each([1])("b's (wire 6.3.1)", x); it('(behaviour 1.2) c', x)`;
    expect(tagsIn(source).map(({ document, number }) => `${document} ${number}`)).toEqual([
      'behaviour 1.1',
      'behaviour 2.3',
      'threat 3.2',
      'wire 6.3.1',
    ]);
  });

  it('reports nothing if each rule has a test or a reason', () => {
    expect(faults(complete)).toEqual([]);
  });

  it('reports a rule without a test', () => {
    expect(faults(complete.replace(', 1.2', ''))).toEqual(['behaviour 1.2 has no test: The server validates it.']);
  });

  it('reports a number in a title that is not a rule or is malformed', () => {
    expect(faults(`${complete} it('d (behaviour 1.5, 2)', x); it('e (behaviour 1.1 and 1.2)', x);`)).toEqual([
      'behaviour 1.5 is no rule',
      'behaviour 2 is no rule',
      'behaviour 1.1 and 1.2 is no rule',
    ]);
  });

  it('reports a rule that claims to have no test but has one', () => {
    expect(faults(`${complete} it('f (behaviour 1.3)', x);`)).toEqual([
      'behaviour 1.3 says that it has no test, and has one',
    ]);
  });

  it('reports a rule marked “No test:” without a reason', () => {
    expect(faults(complete, toy.replace('No test: it is another program.', 'No test:'))).toEqual([
      'behaviour 1.3 has no test: The sender is trusted. No test:',
    ]);
  });

  it('reports a rule without a number, with a duplicate number or with another section’s number', () => {
    const wrong = toy.replace('**1.2**', '**1.1**').replace('**1.3** ', '').replace('1.4.1', '1.5.1');
    expect(faults(`it('g (behaviour 1.1)', x);`, wrong)).toEqual([
      'behaviour 1.1 is the number of two rules',
      'behaviour, section 1: a rule has no number: The sender is trusted. No test: it is another program.',
      'behaviour 1.5.1 is in section 1.4',
    ]);
  });
});
