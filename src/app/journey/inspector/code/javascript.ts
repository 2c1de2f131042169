import { joined } from './literal.ts';
import { missing, names, type Part, type Plan, type Variable } from './request.ts';

const expression = (text: readonly Part[]): string => joined(text, JSON.stringify);

const create = {
  uuid: (variable: Variable) => `const ${names[variable]} = process.env.${variable} ?? crypto.randomUUID();`,
  plain: (variable: Variable) =>
    `const ${names[variable]} = process.env.${variable} ?? crypto.randomUUID().replaceAll("-", "");`,
};

const signature = (method: string, hasBody: boolean): string[] => [
  'const encode = (text) =>',
  '  encodeURIComponent(text).replace(/[!\'()*]/g, (mark) => "%" + mark.charCodeAt(0).toString(16).toUpperCase());',
  'const nonce = crypto.randomUUID();',
  hasBody ? 'const parameters = "body=" + encode(Buffer.from(body).toString("base64"));' : 'const parameters = "";',
  `const baseString = ["${method}", encode(url.toLowerCase()), encode(parameters), encode(nonce)].join("&");`,
  'const signature = createHmac("sha1", signingKey + "&null").update(baseString).digest("base64");',
];

/** Reads the secrets from the environment, else from a file .env. */
const reads = (given: Plan['given']): string[] =>
  given.length === 0
    ? []
    : [
        'const lines = existsSync(".env") ? readFileSync(".env", "utf8").split(/\\r?\\n/) : [];',
        'function env(name) {',
        '  const line = lines.find((each) => each.startsWith(name + "="));',
        '  const value = process.env[name] || line?.slice(name.length + 1);',
        `  if (!value) throw new Error(name + ${JSON.stringify(` ${missing}`)});`,
        '  return value;',
        '}',
        ...given.map(([variable, from, what]) => `const ${names[variable]} = env("${from}"); // $${from}: ${what}`),
      ];

/** Code for the request with fetch, as a module for Node. */
export function javascript({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  return [
    ...(isSigned ? ['import { createHmac } from "node:crypto";'] : []),
    ...(given.length > 0 ? ['import { existsSync, readFileSync } from "node:fs";'] : []),
    '',
    ...reads(given),
    ...created.map(([variable, format]) => create[format](variable)),
    `const url = ${JSON.stringify(url)};`,
    ...(hasBody ? [`const body = ${expression(body)};`] : []),
    ...notes.map((note) => `// ${note}`),
    ...(isSigned ? signature(method, hasBody) : []),
    'const response = await fetch(url, {',
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${expression(value)},`),
    '  },',
    ...(hasBody ? ['  body: Buffer.from(body),'] : []),
    '});',
    'console.log(response.status, await response.text());',
    '',
  ].join('\n');
}
