import { describe, expect, it } from 'vitest';
import { decodeText } from '#rules/decodeText.ts';

const text = 'Zoë "£" 🙂\r\n';
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('The text of a file', () => {
  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little-endian', utf16],
    ['UTF-16, big-endian', Buffer.from(utf16).swap16()],
  ])('is decoded from %s', (_, bytes) => {
    expect(decodeText(bytes, 'The file')).toBe(text);
  });

  it('keeps a byte order mark that is not at its beginning, and may be empty', () => {
    expect(decodeText(Buffer.from('a\uFEFFb'), 'The file')).toBe('a\uFEFFb');
    expect(decodeText(Buffer.alloc(0), 'The file')).toBe('');
    expect(decodeText(Buffer.from('\uFEFF'), 'The file')).toBe('');
  });

  it.each<[string, Uint8Array, string]>([
    ['Latin-1', Buffer.from('Zoë', 'latin1'), 'The file is not encoded in UTF-8: save it in UTF-8'],
    ['half a letter of UTF-16', utf16.subarray(0, 5), 'The file is not encoded in UTF-8: save it in UTF-8'],
    [
      'UTF-16 without a mark',
      Buffer.from('{}', 'utf16le'),
      'The file holds NUL characters, perhaps as UTF-16: save it in UTF-8',
    ],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), 'The file is not encoded in UTF-8: save it in UTF-8'],
  ])('is refused if it is %s', (_, bytes, sentence) => {
    expect(() => decodeText(bytes, 'The file')).toThrow(sentence);
  });
});
