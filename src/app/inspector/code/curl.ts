import type { Part, Plan } from './request.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One shell word. */
const word = (text: readonly Part[]): string =>
  text.map((part) => (typeof part === 'string' ? quoted(part) : `"$${part.variable}"`)).join('') || "''";

/** A header, within one pair of quotes if possible. */
function headerWord(name: string, value: readonly Part[]): string {
  const plain = value.every((part) => typeof part !== 'string' || !/["$`\\!]/.test(part));
  if (value.every((part) => typeof part === 'string')) return quoted(`${name}: ${value.join('')}`);
  if (!plain) return word([`${name}: `, ...value]);
  return `"${name}: ${value.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('')}"`;
}

const makeKey = {
  none: [],
  uuid: ['KEY=${KEY:-$(uuidgen | tr A-Z a-z)}'],
  plain: ['KEY=${KEY:-$(openssl rand -hex 16)}'],
};

const signature = (method: string, hasBody: boolean): string[] => [
  `encode() { printf %s "$1" | sed 's/%/%25/g; s/&/%26/g; s/+/%2B/g; s/,/%2C/g; s|/|%2F|g; s/:/%3A/g; s/=/%3D/g; s/?/%3F/g'; }`,
  'NONCE=$(openssl rand -hex 16)',
  ...(hasBody ? [`PARAMETERS="body=$(encode "$(printf %s "$BODY" | base64 | tr -d '\\n')")"`] : ['PARAMETERS=']),
  `BASE="${method}&$(encode "$(printf %s "$URL" | tr A-Z a-z)")&$(encode "$PARAMETERS")&$(encode "$NONCE")"`,
  'SIGNATURE=$(printf %s "$BASE" | openssl dgst -sha1 -hmac "$SIGNING_KEY&null" -binary | base64)',
];

/** The request as a POSIX shell command with curl; a signed request also needs openssl. */
export function curl({ method, url, headers, body, given, isSigned, key, notes }: Plan): string {
  const hasBody = body.length > 0;
  return [
    ...given.map(([variable, what]) => `# $${variable}: ${what}`),
    ...notes.map((note) => `# ${note}`),
    ...makeKey[key],
    ...(isSigned
      ? [`URL=${quoted(url)}`, ...(hasBody ? [`BODY=${word(body)}`] : []), ...signature(method, hasBody)]
      : []),
    [
      `curl -i -X ${method} ${isSigned ? '"$URL"' : quoted(url)}`,
      ...headers.map(([name, value]) => `  -H ${headerWord(name, value)}`),
      ...(hasBody ? [`  --data-binary ${isSigned ? '"$BODY"' : word(body)}`] : []),
    ].join(' \\\n'),
    '',
  ].join('\n');
}
