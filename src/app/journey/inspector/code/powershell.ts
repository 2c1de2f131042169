import { joined } from './literal.ts';
import { names, type Part, type Plan, type Variable } from './request.ts';

/**
 * A literal of ASCII alone, because a script is read in the machine's code page: other characters are added by their
 * code. It begins with a text, to which characters can be added.
 */
const literal = (text: string): string =>
  (text.match(/[ -~]+|[^ -~]/g) ?? ['']).reduce((before, piece, index) => {
    const written = /[ -~]/.test(piece) ? `'${piece.replaceAll("'", "''")}'` : `[char]${piece.charCodeAt(0)}`;
    if (index > 0) return `${before} + ${written}`;
    return written.startsWith('[') ? `'' + ${written}` : written;
  }, '') || "''";

const expression = (text: readonly Part[]): string =>
  typeof text[0] === 'string' || text.length === 0
    ? joined(text, literal, { prefix: '$' })
    : `'' + ${joined(text, literal, { prefix: '$' })}`;

const create = {
  uuid: (variable: Variable) =>
    `$${names[variable]} = if ($env:${variable}) { $env:${variable} } else { [guid]::NewGuid().ToString() }`,
  plain: (variable: Variable) =>
    `$${names[variable]} = if ($env:${variable}) { $env:${variable} } else { [guid]::NewGuid().ToString('N') }`,
};

const signature = (method: string, hasBody: boolean): string[] => [
  "function encode($text) { [regex]::Replace([uri]::EscapeDataString($text), '[!*''()]', { '%{0:X2}' -f [int][char]$args[0].Value }) }",
  '$nonce = [guid]::NewGuid().ToString()',
  hasBody ? "$parameters = 'body=' + (encode ([Convert]::ToBase64String($bytes)))" : "$parameters = ''",
  `$baseString = ('${method}', (encode $url.ToLowerInvariant()), (encode $parameters), (encode $nonce)) -join '&'`,
  "$hmac = New-Object Security.Cryptography.HMACSHA1 -ArgumentList (, [Text.Encoding]::UTF8.GetBytes($signingKey + '&null'))",
  '$signature = [Convert]::ToBase64String($hmac.ComputeHash([Text.Encoding]::UTF8.GetBytes($baseString)))',
];

/** A header, which curl sends although it is empty only if a semicolon ends it. */
const headerOf = (name: string, value: readonly Part[]): string =>
  value.every((part) => typeof part === 'string' && part.trim() === '')
    ? literal(`${name};`)
    : expression([`${name}: `, ...value]);

/**
 * The request with curl.exe in PowerShell, of Windows or newer. Files pass body and options, because arguments lose
 * quotes and characters beyond the code page.
 */
export function powershell({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  const hasType = headers.some(([name]) => name === 'content-type');
  const options = [
    "'url = ' + (option $url)",
    ...headers.map(([name, value]) => `'header = ' + (option (${headerOf(name, value)}))`),
    ...(hasBody && !hasType ? ["'header = ' + (option 'content-type:')"] : []),
  ];
  return [
    ...given.map(([variable, what]) => `$${names[variable]} = $env:${variable} # $${variable}: ${what}`),
    ...created.map(([variable, format]) => create[format](variable)),
    `$url = ${literal(url)}`,
    ...(hasBody ? [`$body = ${expression(body)}`, '$bytes = [Text.Encoding]::UTF8.GetBytes($body)'] : []),
    ...notes.map((note) => `# ${note}`),
    ...(isSigned ? signature(method, hasBody) : []),
    "function option($text) { '\"' + $text.Replace('\\', '\\\\').Replace('\"', '\\\"') + '\"' }",
    '$options = [IO.Path]::GetTempFileName()',
    '[IO.File]::WriteAllLines($options, [string[]]@(',
    ...options.map((each, index) => `    (${each})${index < options.length - 1 ? ',' : ''}`),
    '))',
    ...(hasBody ? ['$file = [IO.Path]::GetTempFileName()', '[IO.File]::WriteAllBytes($file, $bytes)'] : []),
    `curl.exe -i --globoff -X ${method} --config $options${hasBody ? ' --data-binary "@$file"' : ''}`,
    `Remove-Item $options${hasBody ? ', $file' : ''}`,
    '',
  ].join('\n');
}

/** Maximum length of a command line of cmd. */
const longestLine = 8191;

/**
 * The same for cmd, which can neither sign nor quote line ends: PowerShell gets its script as Base64 of UTF-16, in
 * which nothing has a meaning for cmd.
 */
export function cmd(plan: Plan): string {
  const script = powershell({ ...plan, notes: [] });
  const units = Array.from(script, (character) => `${character}\0`).join('');
  const line = `powershell -NoProfile -EncodedCommand ${btoa(units)}`;
  const isTooLong = line.length > longestLine;
  return [
    ...plan.given.map(([variable, what]) => `rem $${variable}: ${what}`),
    ...plan.notes.map((note) => `rem ${note.replace(/[&|<>^%]/g, '^$&')}`),
    ...(isTooLong ? ['rem This request is too long for a line of cmd. Copy it for PowerShell.'] : [line]),
    '',
  ].join('\n');
}
