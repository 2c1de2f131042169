import { describe, expect, it } from 'vitest';
import { decodedFile } from '#rules/decodedFile.ts';

const shown = (type: string, ...bytes: number[]) => decodedFile({ bytes: Uint8Array.from(bytes), type });

describe('A payment file is shown', () => {
  it.each([
    ['iso-8859-1', [0xe9], 'é'],
    ['"ISO-8859-15"', [0xa4], '€'],
    ['koi8-r', [0xc1], 'а'],
    ['utf-8', [0xc3, 0xa9], 'é'],
    ['utf-16le', [0xe9, 0], 'é'],
    ['us-ascii', [0x41, 0], 'A\0'],
    ['shift_jis', [0x83, 0x41], 'ア'],
  ])('by its declared charset %s, which is named (behaviour 5.12)', (charset, bytes, text) => {
    const { text: given, note } = shown(`text/plain; charset=${charset}`, ...bytes);
    expect(given).toBe(text);
    expect(note).toContain(`Shown as ${charset.replaceAll('"', '')}, the charset that the service declares`);
  });

  it.each([
    ['utf-8', [0xe9], 'the file is not in it: shown as windows-1252'],
    ['utf-16le', [0xe9, 0, 1], 'the file is not in it: shown as windows-1252'],
    ['klingon', [0xc3, 0xa9], 'which is unknown here: shown as UTF-8'],
    ['replacement', [0x41], 'which is unknown here: shown as UTF-8'],
  ])('with a warning if the declared charset %s is wrong or unknown (behaviour 5.12)', (charset, bytes, why) => {
    const { text, note } = shown(`text/plain; charset=${charset}`, ...bytes);
    expect(text).toBeDefined();
    expect(note).toContain(why);
    expect(note).toContain('bytes of the service unchanged');
  });

  it.each([
    ['text/plain', [0xc3, 0xa9], 'é', 'Shown as UTF-8; the service declares no charset.'],
    ['text/plain', [0xe9], 'é', 'Shown as windows-1252; the service declares no charset.'],
    ['', [0xff, 0xfe, 0xe9, 0], 'é', 'Shown as utf-16le, by its byte order mark; the service declares no charset.'],
    ['application/octet-stream', [0x41], 'A', 'Shown as UTF-8; the service declares no charset.'],
  ])('by its bytes if it declares no charset: %s %j (behaviour 5.12)', (type, bytes, text, note) => {
    expect(shown(type, ...bytes)).toEqual({ text, note });
  });

  it.each(['application/pdf', 'application/zip', 'image/png'])('not as text if it is %s (behaviour 5.12)', (type) => {
    expect(shown(type, 1)).toMatchObject({ text: undefined, note: expect.stringContaining(type) as string });
  });
});
