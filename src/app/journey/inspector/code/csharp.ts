import { joined, literal } from './literal.ts';
import { names, type Plan, type Variable } from './request.ts';

const create = {
  uuid: (variable: Variable) => `var ${names[variable]} = Guid.NewGuid().ToString();`,
  plain: (variable: Variable) => `var ${names[variable]} = Guid.NewGuid().ToString("N");`,
};

const signature = (method: string, hasBody: boolean): string[] => [
  'var nonce = Guid.NewGuid().ToString();',
  hasBody
    ? 'var parameters = "body=" + Uri.EscapeDataString(Convert.ToBase64String(Encoding.UTF8.GetBytes(body)));'
    : 'var parameters = "";',
  `var baseString = string.Join("&", "${method}", Uri.EscapeDataString(url.ToLowerInvariant()),`,
  '    Uri.EscapeDataString(parameters), Uri.EscapeDataString(nonce));',
  'using var hmac = new HMACSHA1(Encoding.UTF8.GetBytes(signingKey + "&null"));',
  'var signature = Convert.ToBase64String(hmac.ComputeHash(Encoding.UTF8.GetBytes(baseString)));',
];

/** Code for the request with HttpClient, as the top-level statements of a program. */
export function csharp({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  const isContent = (name: string) => name === 'content-type';
  return [
    'using System.Net.Http.Headers;',
    ...(isSigned ? ['using System.Security.Cryptography;'] : []),
    'using System.Text;',
    '',
    ...given.map(
      ([variable, what]) =>
        `var ${names[variable]} = Environment.GetEnvironmentVariable("${variable}"); // $${variable}: ${what}`,
    ),
    ...created.map(([variable, format]) => create[format](variable)),
    `var url = ${literal(url)};`,
    ...(hasBody ? [`var body = ${joined(body, literal)};`] : []),
    ...notes.map((note) => `// ${note}`),
    ...(isSigned ? signature(method, hasBody) : []),
    'using var http = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod("${method}"), url);`,
    ...headers
      .filter(([name]) => !isContent(name))
      .map(([name, value]) => `request.Headers.TryAddWithoutValidation(${literal(name)}, ${joined(value, literal)});`),
    ...(hasBody
      ? [
          'request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));',
          ...headers
            .filter(([name]) => isContent(name))
            .map(
              ([, value]) =>
                `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${joined(value, literal)});`,
            ),
        ]
      : []),
    'using var response = await http.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
    '',
  ].join('\n');
}
