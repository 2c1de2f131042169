import type { Collection, CollectionRequest } from './collection.ts';
import { baseStringLines, memberOf, todayLine } from './scripts.ts';

const set = (name: string, code: string): string => `  request.variables.set('${name}', ${code});`;
const keep = (name: string, code: string): string => `  client.global.set('${name}', ${code});`;
const uuid = '$random.uuid';

const signLines = (key: string): string[] =>
  [
    ...baseStringLines,
    "const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';",
    'const base64 = (text) => {',
    "  const bytes = unescape(encodeURIComponent(text)).split('').map((each) => each.charCodeAt(0));",
    "  let coded = '';",
    '  for (let at = 0; at < bytes.length; at += 3) {',
    '    const three = (bytes[at] << 16) | ((bytes[at + 1] || 0) << 8) | (bytes[at + 2] || 0);',
    "    coded += letters[three >> 18] + letters[(three >> 12) & 63] + (at + 1 < bytes.length ? letters[(three >> 6) & 63] : '=') + (at + 2 < bytes.length ? letters[three & 63] : '=');",
    '  }',
    '  return coded;',
    '};',
    'const valueOf = (name) => request.environment.get(name) || client.global.get(name) || request.variables.get(name);',
    // httpyac puts the address that it substitutes into the body. Only IDEs do not give the variables of the file.
    'const filled = (part) => {',
    "  const raw = part.getRaw() || '';",
    '  const names = Array.from(raw.matchAll(/[{]{2}(\\w+)[}]{2}/g), (match) => match[1]);',
    "  return names.every(valueOf) ? names.reduce((text, name) => text.split('{' + '{' + name + '}' + '}').join(valueOf(name)), raw) : part.tryGetSubstituted() || '';",
    '};',
    "const text = baseString({ method: request.method, url: filled(request.url), body: filled(request.body), nonce: valueOf('nonce'), base64 });",
    `const key = valueOf('${key}') + '&null';`,
  ]
    .map((line) => `  ${line}`)
    .concat(set('signature', 'crypto.hmac.sha1().withTextSecret(key).updateWithText(text).digest().toBase64()'));

function requestOf({ name, method, url, headers, body, signedWith, made, learned }: CollectionRequest): string {
  return [
    `### ${name}`,
    '< {%',
    ...['nonce', 'idempotencyKey', 'interactionId'].map((each) => set(each, uuid)),
    set('executionDate', todayLine),
    ...made.map((each) => keep(each, uuid)),
    ...(signedWith === '' ? [] : signLines(signedWith)),
    '%}',
    `${method} ${url}`,
    ...headers.map(([key, value]) => `${key}: ${value}`),
    ...(body === '' ? [] : ['', body]),
    ...(learned.length === 0
      ? []
      : ['', '> {%', ...learned.map(({ variable, path }) => keep(variable, memberOf('response.body', path))), '%}']),
    '',
  ].join('\n');
}

/**
 * Returns a .http file of the kind that IDEs of JetBrains and their command line run. Secrets are variables of the
 * environment (http-client.private.env.json), which the head of the file lists.
 */
export function httpFileOf({ variables, requests, given, omitted }: Collection, name: string): string {
  return [
    `# ${name}`,
    ...omitted.map((each) => `# ${each}`),
    ...(given.length > 0 ? [`# Give these in http-client.private.env.json: ${given.join(', ')}`] : []),
    ...variables
      .filter(({ isSecret, value }) => !isSecret && value !== '')
      .map((each) => `@${each.name} = ${each.value}`),
    '',
    ...requests.map(requestOf),
  ].join('\n');
}
