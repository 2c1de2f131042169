import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';

/** A document of docs/: its file, its title and its first sentence. */
export interface Document {
  file: string;
  title: string;
  sentence: string;
}

/** Returns the text of Markdown without links, emphasis and code marks. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|`)(.+?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim();

/** The first sentence of a document: of its first paragraph of prose, which is no heading, list, table, picture or code. */
export function firstSentence(markdown: string): string {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  const paragraph = withoutCode.split(/\n\s*\n/).find((each) => /^(?![#|!<>*-]|\d+\.)\S/.test(each.trim())) ?? '';
  const text = plainText(paragraph);
  return /^.*?[.?!](?=\s|$)/.exec(text)?.[0] ?? text.replace(/:$/, '.');
}

/** Reads the documents of a folder, in the order of their names. */
export const documentsIn = (folder: string): Document[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { file, title: /^# (.+)$/m.exec(text)?.[1] ?? file, sentence: firstSentence(text) };
    });

/** Returns the index of the documents for language models, as llmstxt.org describes it. */
export const llmsText = (documents: readonly Document[]): string =>
  [
    '# Payments Out Console',
    '',
    '> A web console, a server and a sandbox in which a developer tries a payments-out API, and a command that verifies programs that pay.',
    '',
    '## Documents',
    '',
    ...documents.map(({ file, title, sentence }) => `- [${title}](${file}): ${sentence}`),
    '',
  ].join('\n');

/** Offers the documents as resources. `folder` is that of the documents. */
export function offerDocuments(server: McpServer, folder: string): void {
  const read = (uri: string, file: string, mimeType: string) => ({
    contents: [{ uri, mimeType, text: readFileSync(join(folder, file), 'utf8') }],
  });
  for (const { file, title, sentence } of documentsIn(folder)) {
    const uri = `docs:///${file}`;
    const mimeType = 'text/markdown';
    server.registerResource(file, uri, { title, description: sentence, mimeType }, () => read(uri, file, mimeType));
  }
}
