import { joined, pointLiteral } from './literal.ts';
import { missing, names, type Plan, type Variable } from './request.ts';

const create = {
  uuid: (variable: Variable) => `${names[variable]} = os.environ.get("${variable}") or str(uuid.uuid4())`,
  plain: (variable: Variable) => `${names[variable]} = os.environ.get("${variable}") or uuid.uuid4().hex`,
};

const signature = (method: string, hasBody: boolean): string[] => [
  'encode = lambda text: urllib.parse.quote(text, safe="")',
  'nonce = str(uuid.uuid4())',
  hasBody ? 'parameters = "body=" + encode(base64.b64encode(body).decode())' : 'parameters = ""',
  `base_string = "&".join(["${method}", encode(url.lower()), encode(parameters), encode(nonce)])`,
  'digest = hmac.new((signingKey + "&null").encode(), base_string.encode(), hashlib.sha1).digest()',
  'signature = base64.b64encode(digest).decode()',
];

/** Reads the secrets from the environment, else from a file .env. */
const reads = (given: Plan['given']): string[] =>
  given.length === 0
    ? []
    : [
        'def env(name):',
        '    lines = open(".env").read().splitlines() if os.path.exists(".env") else []',
        '    values = [line.partition("=")[2] for line in lines if line.startswith(name + "=")]',
        `    return os.environ.get(name) or "".join(values[:1]) or sys.exit(name + ${pointLiteral(` ${missing}`)})`,
        '',
        ...given.map(([variable, from, what]) => `${names[variable]} = env("${from}")  # $${from}: ${what}`),
      ];

/** Code for the request in Python 3, with its standard library. */
export function python({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  return [
    ...(isSigned ? ['import base64', 'import hashlib', 'import hmac'] : []),
    'import os',
    ...(given.length > 0 ? ['import sys'] : []),
    'import urllib.error',
    'import urllib.parse',
    'import urllib.request',
    'import uuid',
    '',
    ...reads(given),
    ...created.map(([variable, format]) => create[format](variable)),
    `url = ${pointLiteral(url)}`,
    ...(hasBody ? [`body = (${joined(body, pointLiteral)}).encode()`] : []),
    ...notes.map((note) => `# ${note}`),
    ...(isSigned ? signature(method, hasBody) : []),
    `request = urllib.request.Request(url, method="${method}"${hasBody ? ', data=body' : ''}, headers={`,
    ...headers.map(([name, value]) => `    ${pointLiteral(name)}: ${joined(value, pointLiteral)},`),
    '})',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refused:',
    '    response = refused',
    'print(response.status, response.read().decode())',
    '',
  ].join('\n');
}
