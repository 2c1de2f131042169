import { describe, expect, it } from 'vitest';
import { junitXml } from '#rules/junit.ts';
import { markdownText, printable, printableJson, printableLine } from '#rules/printable.ts';

describe('A text for a terminal', () => {
  it.each([
    ['plain text', 'Zoë paid £1 🙂\n\tdone', 'Zoë paid £1 🙂\n\tdone'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
    ['a colour', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['a title of the window', '\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
    ['a carriage return, which hides what stands before it', 'failed\rpassed', 'failed\\x0dpassed'],
    ['a backspace', 'failed\b\b', 'failed\\x08\\x08'],
    ['the 8-bit form of an escape', '\u009b2J\u009d0;x\u009c', '\\x9b2J\\x9d0;x\\x9c'],
    ['delete and NUL', '\u007f\0', '\\x7f\\x00'],
    ['a change of direction', 'a\u202egnp.exe\u2066', 'a\\u202egnp.exe\\u2066'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a command of a job', 'a\n::error file=x::y\n  ::debug::z', 'a\n\\x3a:error file=x::y\n  \\x3a:debug::z'],
    ['a command of a job within a line', 'a ##[group]b ##vso[task]c', 'a \\x23#[group]b \\x23#vso[task]c'],
    ['colons and hashes that command nothing', 'a::b\n::1\n## c\n[::1]', 'a::b\n::1\n## c\n[::1]'],
  ])('shows %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

/** Texts of others that would be read as a line, or a command, of their own. */
const hostile = [
  'name\n::error title=x::y',
  'name\r\n::error::y',
  '::set-output name=a::b',
  'a ##[error]b',
  'a\n##vso[task.complete result=Failed;]',
  "x\n##teamcity[buildProblem description='y']",
  '\u001b[2K\rNo drift.',
  'a\u0085::error::b',
  'a\u2028::error::b\u2029c',
  '\u009b2K\u202eNo drift.',
];
/** Characters at which some readers begin a line, or which a terminal obeys. */
const obeyed = /[\u007f-\u009f\u2028\u2029\u202e]/;
/** What a service that runs jobs reads as a command, as GitHub's runner, Azure's agent and TeamCity do. */
const commands = /^\s*::.*::|##\w*\[|\u001b/m;

describe('A text of others in an output that is read line by line', () => {
  it.each(hostile)('begins no line and commands nothing in one line: %j (threat 3.34)', (text) => {
    const line = printableLine(text);
    expect(line).not.toMatch(/[\r\n]/);
    expect(line).not.toMatch(commands);
    expect(line).not.toMatch(obeyed);
  });

  it.each(hostile)('commands nothing in a report in JUnit’s format or JSON, which say the same: %j', (text) => {
    const cases = [
      { name: text, ms: 0, failure: { message: text, text } },
      { name: 'a', ms: 0, output: text },
      { name: 'b', ms: 0, skipped: text },
    ];
    const xml = junitXml('tests', [{ name: text, ms: 0, cases }], { ms: 0, startedAt: '2026-01-01T00:00:00Z' });
    expect(xml).not.toMatch(commands);
    expect(xml).not.toMatch(obeyed);
    const json = printableJson(JSON.stringify({ [text]: [text] }, null, 2));
    expect(json).not.toMatch(commands);
    expect(json).not.toMatch(obeyed);
    expect(JSON.parse(json)).toEqual({ [text]: [text] });
  });

  it('is nothing but text in Markdown', () => {
    expect(markdownText('a|b\n![x](y) <img> `c` @all')).toBe('a\\|b \\!\\[x\\](y) \\<img\\> \\`c\\` \\@all');
  });
});
