import { describe, expect, it } from 'vitest';
import { printable } from '#rules/printable.ts';

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
  ])('shows %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
