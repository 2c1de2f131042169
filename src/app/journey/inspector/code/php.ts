import { joined, phpLiteral } from './literal.ts';
import { missing, names, type Part, type Plan, type Variable } from './request.ts';

const expression = (text: readonly Part[]): string => joined(text, phpLiteral, { prefix: '$', plus: ' . ' });

const create = {
  uuid: (variable: Variable) =>
    `$${names[variable]} = getenv("${variable}") ?: vsprintf("%s%s-%s-4%.3s-a%.3s-%s%s%s", str_split(bin2hex(random_bytes(16)), 4));`,
  plain: (variable: Variable) => `$${names[variable]} = getenv("${variable}") ?: bin2hex(random_bytes(16));`,
};

const signature = (method: string, hasBody: boolean): string[] => [
  '$nonce = bin2hex(random_bytes(16));',
  hasBody ? '$parameters = "body=" . rawurlencode(base64_encode($body));' : '$parameters = "";',
  `$baseString = implode("&", ["${method}", rawurlencode(strtolower($url)), rawurlencode($parameters), rawurlencode($nonce)]);`,
  '$signature = base64_encode(hash_hmac("sha1", $baseString, $signingKey . "&null", true));',
];

/** Reads the secrets from the environment, else from a file .env. */
const reads = (given: Plan['given']): string[] =>
  given.length === 0
    ? []
    : [
        'function env(string $name): string {',
        '    $file = is_file(".env") ? file_get_contents(".env") : "";',
        '    $found = preg_match("/^$name=(.*)$/m", $file, $match) ? trim($match[1]) : "";',
        `    return (getenv($name) ?: $found) ?: exit($name . ${phpLiteral(` ${missing}\n`)});`,
        '}',
        ...given.map(([variable, from, what]) => `$${names[variable]} = env("${from}"); // $${from}: ${what}`),
      ];

/** Code for the request in PHP, without extensions. */
export function php({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  return [
    '<?php',
    ...reads(given),
    ...created.map(([variable, format]) => create[format](variable)),
    `$url = ${phpLiteral(url)};`,
    ...(hasBody ? [`$body = ${expression(body)};`] : []),
    // PHP ends at this mark even in a comment.
    ...notes.map((note) => `// ${note.replaceAll('?>', '? >')}`),
    ...(isSigned ? signature(method, hasBody) : []),
    '$context = stream_context_create(["http" => [',
    `    "method" => "${method}",`,
    '    "protocol_version" => 1.1,',
    '    "ignore_errors" => true,',
    '    "header" => [',
    '        "connection: close",',
    ...headers.map(([name, value]) => `        ${expression([`${name}: `, ...value])},`),
    '    ],',
    ...(hasBody ? ['    "content" => $body,'] : []),
    ']]);',
    '$answer = file_get_contents($url, false, $context);',
    'echo $http_response_header[0], " ", $answer, "\\n";',
    '',
  ].join('\n');
}
