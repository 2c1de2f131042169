/** Writes docs/llms.txt anew from the titles and first sentences of the documents (npm run llms). */
import { writeFileSync } from 'node:fs';
import { documentsIn, llmsText } from '#command/mcp/documents.ts';

writeFileSync('docs/llms.txt', llmsText(documentsIn('docs')));
console.log('docs/llms.txt');
