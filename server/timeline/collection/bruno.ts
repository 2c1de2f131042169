import type { Collection, CollectionRequest } from './collection.ts';
import { baseStringLines, memberOf, todayLine } from './scripts.ts';

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');
const block = (name: string, lines: readonly string[]): string => `${name} {\n${indented(lines.join('\n'))}\n}\n`;
const set = (name: string, code: string): string => `bru.setVar('${name}', ${code});`;
const uuid = "require('uuid').v4()";

const signLines = (key: string): string[] => [
  "const CryptoJS = require('crypto-js');",
  ...baseStringLines,
  'const base64 = (text) => CryptoJS.enc.Base64.stringify(CryptoJS.enc.Utf8.parse(text));',
  'const valueOf = (name) => bru.getVar(name) ?? bru.getEnvVar(name) ?? bru.getCollectionVar(name);',
  'const filled = (text) => text.replace(/\\{\\{(\\w+)\\}\\}/g, (_, name) => valueOf(name));',
  "const text = baseString({ method: req.getMethod(), url: filled(req.getUrl()), body: filled(req.getBody({ raw: true }) ?? ''), nonce: valueOf('nonce'), base64 });",
  set('signature', `CryptoJS.enc.Base64.stringify(CryptoJS.HmacSHA1(text, valueOf('${key}') + '&null'))`),
];

function fileOf(
  { name, method, url, headers, body, signedWith, made, learned }: CollectionRequest,
  index: number,
): string {
  const first = [
    ...['nonce', 'idempotencyKey', 'interactionId', ...made].map((each) => set(each, uuid)),
    set('executionDate', todayLine),
    ...(signedWith === '' ? [] : signLines(signedWith)),
  ];
  return [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${index + 1}`]),
    // As text, so that what is signed is what is sent.
    block(method.toLowerCase(), [`url: ${url}`, `body: ${body === '' ? 'none' : 'text'}`, 'auth: none']),
    block(
      'headers',
      headers.map(([key, value]) => `${key}: ${value}`),
    ),
    ...(body === '' ? [] : [block('body:text', [body])]),
    block('script:pre-request', first),
    ...(learned.length === 0
      ? []
      : [
          block(
            'script:post-response',
            learned.map(({ variable, path }) => set(variable, memberOf('res.getBody()', path))),
          ),
        ]),
    block('assert', ['res.status: lt 400']),
  ].join('\n');
}

/** The file of a request: its name without what a file name cannot hold. */
const fileName = (name: string): string => `${name.replace(/[^\w .-]/g, '-')}.bru`;

/** Returns the files of a Bruno collection by name. */
export const brunoOf = ({ variables, requests, given, omitted }: Collection, name: string): Record<string, string> => ({
  'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection', ignore: [] }, null, 2)}\n`,
  'environments/sandbox.bru': [
    block(
      'vars',
      variables.filter(({ isSecret }) => !isSecret).map(({ name: key, value }) => `${key}: ${value}`),
    ),
    `vars:secret [\n${given.map((each) => `  ${each}`).join(',\n')}\n]\n`,
  ].join('\n'),
  ...(omitted.length > 0 && { 'OMITTED.txt': `${omitted.join('\n')}\n` }),
  ...Object.fromEntries(requests.map((request, index) => [fileName(request.name), fileOf(request, index)])),
});
