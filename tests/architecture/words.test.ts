import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The private words of the project, which a reader of a screen has never heard, and what the screens say instead. */
const privateWords: readonly (readonly [RegExp, string])[] = [
  [/\b(look|looked|looking|read) again\b|\blast looked\b/i, 'Refresh, Updated'],
  [/(?<!\bcalls? )\bmade\b/i, 'created'], // a call is made
  [/\bkept\b/i, 'stored'],
  [/\btold\b/i, 'shown'],
  [/\bnews\b/i, 'event'],
  [/\bset aside\b/i, 'quarantined'],
  [/\bhung up\b/i, 'the connection closed'],
  [/\blet go\b/i, 'deleted'],
  [/\bawait(s|ed|ing)?\b/i, 'waiting, pending'],
  [/\b(lacks?|lacking)\b/i, 'does not offer, missing'],
  [/\bwhat (came|passed|became|awaits|goes wrong|it happens to)\b/i, 'outcome, traffic, fault, target'],
  [/\bgo(es)? on\b/i, 'continue'],
  [/\bthe next one\b/i, 'name the thing'],
  [/\banother one\b/i, 'name the thing'],
  [/\bof (its|one’s|their|your) own\b/i, 'name the owner'],
  [/\b(is|are) there already\b/i, 'current'],
  [/\bbegins? without\b/i, 'starts empty'],
  [/\b(no|without an) answer\b|\banswer (is )?lost\b/i, 'response'],
  [/\busual headers?\b/i, 'common header'],
  [/\bone fail\b/i, 'Simulate a failure'],
  [/\bstands\b/i, 'status'],
  [/\bany more\b/i, 'no longer'],
  [/\bwill be sent\b|\bwhen it is sent\b/i, 'Not sent yet, Generated on send'],
  [/\bhas no body\b/i, 'No body'],
  [/\bdid not give\b/i, 'Login failed'],
  [/\bare offered\b|\btakes? no\b/i, 'Lists, does not offer'],
  [/\bsetting is chosen\b|\bcommon signs\b|\binvoices to list\b/i, 'All set, punctuation, Show'],
  [/\bbecomes the current\b|\bin its place\b|\bis followed\b|\bone more\b/i, 'say what happens to what'],
  [/\bpay (it |them )?again although\b/i, 'Pay it again anyway'],
  [/\bwould be shown\b|\bas the provider answered\b/i, 'No … yet, Provider’s list'],
  [/\bsave its\b|\bas a file\b/i, 'Save as script, Scripts'],
  [/\bremove what\b|\b(read|query) the (providers|debtors)\b|\btry out\b|\bpoint your own\b/i, 'the title of the page'],
  [/^(asked|happened|taken|which)$|\bsend on\b/i, 'Matched, Fired, Delivered, Operation, Advance'],
  [/\b(hears?|heard|beaten|hands|walks?|slots?|tells?)\b/i, 'the term of the field'],
  [
    /\b(tall(y|ies)|memo|outlines?|patience|sparing|odd|weighs?|went|lasting|honoured|sought)\b/i,
    'the term of the field',
  ],
];

/** Not shown on a screen: the catalogue of the specification, generated code and the command line. */
const exempt = /^src\/(contract\/alerts\.ts|app\/journey\/inspector\/code\/|command\/)/;

/** The texts of a module that may be shown: those of elements, and literals of several words or of one capitalised word. */
function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      const text = node.text.replace(/\s+/g, ' ');
      if (ts.isJsxText(node) || / [a-z]|[a-z] |^[A-Z][a-z]+$/.test(text)) texts.push(text.trim());
    }
    ts.forEachChild(node, visit);
  };
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind));
  return texts;
}

const wordsIn = (text: string): string[] =>
  privateWords.flatMap(([word, instead]) => {
    const found = word.exec(text)?.[0];
    return found ? [`“${found}” (say: ${instead}) in “${text}”`] : [];
  });

/** Schema names of the wire, which are identifiers. */
const identifiers = ['Made'];

describe('the check for private words', () => {
  it('finds none in the texts of the screens and charts', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.tsx?$/.test(file) && !exempt.test(file));
    const texts = files.flatMap((file) =>
      textsOf(file, readFileSync(file, 'utf8')).map((text) => [file, text] as const),
    );
    expect(texts.length).toBeGreaterThan(2000);
    expect(
      texts
        .filter(([, text]) => !identifiers.includes(text))
        .flatMap(([file, text]) => wordsIn(text).map((found) => `${file}: ${found}`)),
    ).toEqual([]);
  });

  it('reads elements, attributes, literals and templates, not comments or identifiers', () => {
    const source = `
      import { a } from './kept again.ts';
      // It is kept here.
      const kept = \`\${a} was kept\`;
      const said = 'The list is kept';
      const shown = <Text label="No answer yet">
        The connection
        hung up
      </Text>;`;
    expect(textsOf('toy.tsx', source).flatMap(wordsIn)).toHaveLength(4);
  });

  it('accepts words that only contain a private word', () => {
    expect(wordsIn('The remade newsletter understands the unanswered question')).toEqual([]);
  });
});
