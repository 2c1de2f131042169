import { missing, type Part, type Plan, type Variable } from './request.ts';

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One shell word. */
const word = (text: readonly Part[]): string =>
  text.map((part) => (typeof part === 'string' ? quoted(part) : `"$${part.variable}"`)).join('') || "''";

/** A header, within one pair of quotes if possible. curl sends an empty one only if a semicolon ends it. */
function headerWord(name: string, value: readonly Part[]): string {
  const isPlain = value.every((part) => typeof part !== 'string' || !/["$`\\!]/.test(part));
  if (value.every((part) => typeof part === 'string'))
    return quoted(value.join('').trim() === '' ? `${name};` : `${name}: ${value.join('')}`);
  if (!isPlain) return word([`${name}: `, ...value]);
  return `"${name}: ${value.map((part) => (typeof part === 'string' ? part : `$${part.variable}`)).join('')}"`;
}

const randomHex = "od -An -N16 -tx1 /dev/urandom | tr -d ' \\n'";
const create = {
  uuid: (variable: Variable) =>
    `${variable}=\${${variable}:-$(${randomHex} | sed 's/\\(.\\{8\\}\\)\\(.\\{4\\}\\).\\(.\\{3\\}\\).\\(.\\{3\\}\\)/\\1-\\2-4\\3-a\\4-/')}`,
  plain: (variable: Variable) => `${variable}=\${${variable}:-$(${randomHex})}`,
};

/** Replaces what an address or Base64 may have beside letters, digits and -._~, the percent sign first. */
const encoding = [..."%!$&'()*+,/:;=?@[]|"]
  .map((mark) => {
    const code = mark.charCodeAt(0).toString(16).toUpperCase();
    return `s${mark === '|' ? ',' : '|'}[${mark}]${mark === '|' ? ',' : '|'}%${code}${mark === '|' ? ',' : '|'}g`;
  })
  .join('; ');

const signature = (method: string, hasBody: boolean): string[] => [
  `encode() { printf %s "$1" | sed ${quoted(encoding)}; }`,
  `NONCE=$(${randomHex})`,
  ...(hasBody ? [`PARAMETERS="body=$(encode "$(body | base64 | tr -d '\\n')")"`] : ['PARAMETERS=']),
  `BASE="${method}&$(encode "$(printf %s "$URL" | tr A-Z a-z)")&$(encode "$PARAMETERS")&$(encode "$NONCE")"`,
  'SIGNATURE=$(printf %s "$BASE" | openssl dgst -sha1 -hmac "$SIGNING_KEY&null" -binary | base64)',
];

/** Reads the secrets from the environment, else from a file .env. */
const reads = (given: Plan['given']): string[] =>
  given.length === 0
    ? []
    : [
        'env() { sed -n "s/^$1=//p" .env 2>/dev/null || :; }',
        ...given.map(([variable, from, what]) => `${variable}=\${${from}:-$(env ${from})} # $${from}: ${what}`),
        ...given.map(([variable, from]) => `: "\${${variable}:?${from} ${missing}}"`),
      ];

/** Prints the body; a NUL, which no shell word can hold, is an escape of printf. */
const printing = (body: readonly Part[]): string => {
  const texts = body.map((part) => (typeof part === 'string' ? part : ''));
  if (!texts.some((text) => text.includes('\0'))) return `printf %s ${word(body)}`;
  const escaped = body.map((part) =>
    typeof part === 'string' ? part.replaceAll('\\', '\\\\').replaceAll('\0', '\\0000') : part,
  );
  return `printf %b ${word(escaped)}`;
};

/** The request as a bash command with curl; a signed request also needs openssl. */
export function curl({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  const isPiped = hasBody && (isSigned || body.some((part) => typeof part === 'string' && part.includes('\0')));
  const hasType = headers.some(([name]) => name === 'content-type');
  return [
    ...reads(given),
    ...notes.map((note) => `# ${note}`),
    ...created.map(([variable, format]) => create[format](variable)),
    ...(isSigned ? [`URL=${quoted(url)}`] : []),
    ...(isPiped ? [`body() { ${printing(body)}; }`] : []),
    ...(isSigned ? signature(method, hasBody) : []),
    [
      `${isPiped ? 'body | ' : ''}curl -i --globoff -X ${method} ${isSigned ? '"$URL"' : quoted(url)}`,
      ...headers.map(([name, value]) => `  -H ${headerWord(name, value)}`),
      ...(hasBody && !hasType ? ["  -H 'content-type:'"] : []),
      ...(hasBody ? [`  ${isPiped ? '--data-binary @-' : `--data-raw ${word(body)}`}`] : []),
    ].join(' \\\n'),
    '',
  ].join('\n');
}
