import { joined, literal } from './literal.ts';
import { missing, names, type Plan, type Variable } from './request.ts';

const given = (variable: Variable, otherwise: string): string =>
  `var ${names[variable]} = System.getenv().getOrDefault("${variable}", ${otherwise});`;

const create = {
  uuid: (variable: Variable) => given(variable, 'java.util.UUID.randomUUID().toString()'),
  plain: (variable: Variable) => given(variable, 'java.util.UUID.randomUUID().toString().replace("-", "")'),
};

/** An address as java.net.URI takes it: what may not stand in one is percent-encoded behind the host. */
const address = (url: string): string =>
  url.replace(/(?<=^\w+:\/\/[^/]*)[/?].*$/s, (path) =>
    path.replace(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, encodeURIComponent),
  );

const encode = `  static String encode(String text) {
    return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
  }
`;

/** Reads a secret from the environment, else from a file .env. */
const env = `  static String env(String name) throws Exception {
    var file = java.nio.file.Path.of(".env");
    var value = System.getenv(name);
    if (value == null && java.nio.file.Files.exists(file))
      for (var line : java.nio.file.Files.readAllLines(file))
        if (line.startsWith(name + "=")) value = line.substring(name.length() + 1);
    if (value == null || value.isEmpty()) throw new IllegalStateException(name + ${literal(` ${missing}`)});
    return value;
  }
`;

const signature = (method: string, hasBody: boolean): string[] => [
  'var nonce = java.util.UUID.randomUUID().toString();',
  hasBody
    ? 'var parameters = "body=" + encode(Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8)));'
    : 'var parameters = "";',
  `var baseString = String.join("&", "${method}", encode(url.toLowerCase(Locale.ROOT)), encode(parameters), encode(nonce));`,
  'var hmac = Mac.getInstance("HmacSHA1");',
  'hmac.init(new SecretKeySpec((signingKey + "&null").getBytes(StandardCharsets.UTF_8), "HmacSHA1"));',
  'var signature = Base64.getEncoder().encodeToString(hmac.doFinal(baseString.getBytes(StandardCharsets.UTF_8)));',
];

/** Code for the request with java.net.http, as a source file that Java 17 runs. */
export function java({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  const lines = [
    ...given.map(([variable, from, what]) => `var ${names[variable]} = env("${from}"); // $${from}: ${what}`),
    ...created.map(([variable, format]) => create[format](variable)),
    `var url = ${literal(address(url))};`,
    ...(hasBody ? [`var body = ${joined(body, literal)};`] : []),
    // Java reads \u as an escape even in a comment.
    ...notes.map((note) => `// ${note.replaceAll('\\', '/')}`),
    ...(isSigned ? signature(method, hasBody) : []),
    'var request = HttpRequest.newBuilder(URI.create(url))',
    ...headers.map(([name, value]) => `    .header(${literal(name)}, ${joined(value, literal)})`),
    `    .method("${method}", ${hasBody ? 'HttpRequest.BodyPublishers.ofString(body)' : 'HttpRequest.BodyPublishers.noBody()'})`,
    '    .build();',
    'var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ];
  const imports = [
    'java.net.URI',
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    'java.net.http.HttpResponse',
    ...(isSigned
      ? [
          'java.nio.charset.StandardCharsets',
          'java.util.Base64',
          'java.util.Locale',
          'javax.crypto.Mac',
          'javax.crypto.spec.SecretKeySpec',
        ]
      : []),
  ];
  return [
    ...imports.map((name) => `import ${name};`),
    '',
    'class Request {',
    ...(given.length > 0 ? [env] : []),
    ...(isSigned ? [encode] : []),
    '  public static void main(String[] arguments) throws Exception {',
    ...lines.map((line) => `    ${line}`),
    '  }',
    '}',
    '',
  ].join('\n');
}
