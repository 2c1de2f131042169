/** The lines of JavaScript that tools run before a request: the text that is signed (wire, section 2.2). */
export const baseStringLines: readonly string[] = [
  "const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase());",
  'const baseString = ({ method, url, body, nonce, base64 }) => {',
  "  const [address, query = ''] = url.split('?');",
  "  const parameters = query === '' ? [] : query.split('&').map((each) => each.split('=').map((part) => decodeURIComponent(part.replace(/\\+/g, ' '))));",
  "  if (body) parameters.push(['body', base64(body)]);",
  "  const text = parameters.map(([name, value = '']) => [encode(name), encode(value)]).sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] < b[1] ? -1 : 1)).map((pair) => pair.join('=')).join('&');",
  "  return [method.toUpperCase(), encode(address.toLowerCase()), encode(text), encode(nonce)].join('&');",
  '};',
];

/** Today, as the date at which a batch is executed. */
export const todayLine = "new Date().toISOString().slice(0, 10) + 'T00:00:00Z'";

/** A text as code, without what ends the script of a .http file, or what tools take for a variable. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[{}]/g, (brace) => (brace === '{' ? '\\x7b' : '\\x7d'));

/** The value in a parsed response, as code. */
export const memberOf = (response: string, path: readonly string[]): string =>
  response + path.map((name) => `?.[${quoted(name)}]`).join('');
