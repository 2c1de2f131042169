import { joined, pointLiteral } from './literal.ts';
import { missing, names, type IdFormat, type Plan, type Variable } from './request.ts';

const idFormat = { uuid: '%x-%x-%x-%x-%x', plain: '%x%x%x%x%x' };
const create = (variable: Variable, format: IdFormat): string[] => [
  `${names[variable]} := os.Getenv("${variable}")`,
  `if ${names[variable]} == "" {`,
  '\trandom := make([]byte, 16)',
  '\trand.Read(random)',
  '\trandom[6], random[8] = random[6]&0x0f|0x40, random[8]&0x3f|0x80',
  `\t${names[variable]} = fmt.Sprintf("${idFormat[format]}", random[:4], random[4:6], random[6:8], random[8:10], random[10:])`,
  '}',
];

const signature = (method: string, hasBody: boolean): string[] => [
  'encode := func(text string) string { return strings.ReplaceAll(neturl.QueryEscape(text), "+", "%20") }',
  'nonceBytes := make([]byte, 16)',
  'rand.Read(nonceBytes)',
  'nonce := fmt.Sprintf("%x", nonceBytes)',
  hasBody ? 'parameters := "body=" + encode(base64.StdEncoding.EncodeToString([]byte(body)))' : 'parameters := ""',
  `baseString := strings.Join([]string{"${method}", encode(strings.ToLower(url)), encode(parameters), encode(nonce)}, "&")`,
  'mac := hmac.New(sha1.New, []byte(signingKey+"&null"))',
  'mac.Write([]byte(baseString))',
  'signature := base64.StdEncoding.EncodeToString(mac.Sum(nil))',
];

/** Reads a secret from the environment, else from a file .env. */
const env = [
  'func env(name string) string {',
  '\tif value := os.Getenv(name); value != "" {',
  '\t\treturn value',
  '\t}',
  '\tfile, _ := os.ReadFile(".env")',
  '\tfor _, line := range strings.Split(string(file), "\\n") {',
  '\t\tif strings.HasPrefix(line, name+"=") {',
  '\t\t\treturn strings.TrimSpace(line[len(name)+1:])',
  '\t\t}',
  '\t}',
  `\tpanic(name + ${pointLiteral(` ${missing}`)})`,
  '}',
  '',
];

/** Code for the request in Go, with its standard library. */
export function go({ method, url, headers, body, given, isSigned, created, notes }: Plan): string {
  const hasBody = body.length > 0;
  const imports = [
    ...(isSigned ? ['"crypto/hmac"'] : []),
    ...(isSigned || created.length > 0 ? ['"crypto/rand"'] : []),
    ...(isSigned ? ['"crypto/sha1"', '"encoding/base64"'] : []),
    '"fmt"',
    '"io"',
    '"net/http"',
    ...(isSigned ? ['neturl "net/url"'] : []),
    ...(given.length > 0 || created.length > 0 ? ['"os"'] : []),
    ...(hasBody || isSigned || given.length > 0 ? ['"strings"'] : []),
  ];
  const lines = [
    ...given.map(([variable, from, what]) => `${names[variable]} := env("${from}") // $${from}: ${what}`),
    ...created.flatMap(([variable, format]) => create(variable, format)),
    `url := ${pointLiteral(url)}`,
    ...(hasBody ? [`body := ${joined(body, pointLiteral)}`] : []),
    ...notes.map((note) => `// ${note}`),
    ...(isSigned ? signature(method, hasBody) : []),
    `request, err := http.NewRequest("${method}", url, ${hasBody ? 'strings.NewReader(body)' : 'nil'})`,
    'if err != nil {',
    '\tpanic(err)',
    '}',
    ...headers.map(([name, value]) => `request.Header.Set(${pointLiteral(name)}, ${joined(value, pointLiteral)})`),
    'response, err := http.DefaultClient.Do(request)',
    'if err != nil {',
    '\tpanic(err)',
    '}',
    'answer, _ := io.ReadAll(response.Body)',
    'fmt.Println(response.StatusCode, string(answer))',
  ];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((each) => `\t${each}`),
    ')',
    '',
    ...(given.length > 0 ? env : []),
    'func main() {',
    ...lines.map((line) => `\t${line}`),
    '}',
    '',
  ].join('\n');
}
