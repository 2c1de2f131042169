import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentsIn, firstSentence, llmsText } from '#command/mcp/documents.ts';

it('docs/llms.txt lists each document with its title and first sentence (behaviour 10.23.5)', () => {
  // To write it anew: npm run llms
  expect(readFileSync('docs/llms.txt', 'utf8')).toBe(llmsText(documentsIn('docs')));
});

it.each([
  ['# T\n\nOne. Two.', 'One.'],
  [
    '# T\n\nVersion 3.1 of [a thing](x.md) says\n`more` than **this**! Then.',
    'Version 3.1 of a thing says more than this!',
  ],
  ['# T\n\n```sh\nnpm start. Now\n```\n\nAfter code.', 'After code.'],
  [
    '# T\n\n- a list.\n\n1. Numbered.\n\n| a | b |\n\n> Quoted.\n\n![picture](a.png)\n\nProse follows.',
    'Prose follows.',
  ],
  ['# T\n\nWhat follows:\n\n- a', 'What follows.'],
  ['# T', ''],
])('the first sentence of a document is that of its first paragraph of prose: %j', (markdown, sentence) => {
  expect(firstSentence(markdown)).toBe(sentence);
});
