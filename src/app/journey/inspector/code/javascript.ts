import { joined } from './literal.ts';
import { names, type Part, type Plan, type Variable } from './request.ts';

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

/** Code for the request with fetch, as a module for Node. */
export function javascript({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  return [
    ...(isSigned ? ['import { createHmac } from "node:crypto";', ''] : []),
    ...given.map(([variable, what]) => `const ${names[variable]} = process.env.${variable}; // $${variable}: ${what}`),
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
