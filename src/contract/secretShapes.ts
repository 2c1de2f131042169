import { maskedAt, placesOf, type Find, type Place } from './masking.ts';
import { namedIn } from './secretMembers.ts';
import { isSecretName, mayNameSecret } from './secretNames.ts';

/*
 * Secrets by their form, their name or their place, in a text that is not encoded. Each pattern takes time in proportion
 * to the text: its repetitions are bounded, or begin where nothing of theirs precedes.
 */

/** Matches what consists of parts like a JWT, signed or encrypted. */
const parts = /(?<![\w-])[\w-]{11,}\.(?:[\w-]{8,})?\.[\w-]*(?:\.[\w-]+){0,2}/g;
/** Minimum length of the first part of a JWT. */
const shortestHeader = 11;

/** Where the JWT begins in parts, which something may precede; -1 if there is none. */
function jwtIn(whole: string): number {
  for (let from = 0, dot = whole.indexOf('.'); dot !== -1; from = dot + 1, dot = whole.indexOf('.', from)) {
    const at = whole.indexOf('eyJ', from);
    if (at === -1) return -1;
    if (at + shortestHeader <= dot) return at;
  }
  return -1;
}

/** A program's token (server/programs/tokens.ts), and keys that carry their kind. */
const kinds =
  /pocp_[\w-]{43}|(?<!\w)(?:whsec_[\w+/-]{16,}={0,2}|[srp]k_(?:live|test)_\w{16,}|gh[pousr]_\w{36,}|A[KS]IA[A-Z\d]{16}|xox[abprs]-[\w-]{10,}|glpat-[\w-]{20,}|sk-[\w-]{20,}|npm_\w{36,}|SG\.[\w-]{20,}\.[\w-]{20,})/g;
const privateKey =
  /-{4,5} ?BEGIN [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,10} ?-{4,5}(?:(?!-{4})[\w+/=\s:,.\\-])*(?:-{4,5} ?END [A-Z\d ]{1,60} ?-{4,5})?/g;
/** A private or symmetric JSON web key. */
const webKey = /("(?:d|k|p|q|dp|dq|qi)"\s{0,9}:\s{0,9}")[\w-]{40,}/g;

/** A scheme of authentication with its credentials, which are no word, and no parameter such as `realm="…"`. */
const scheme =
  /((?<![\w-])(?:bearer|dpop|negotiate|token|api-?key)[\s+]{1,9}\\*["']?(?![a-z_]{1,40}=\\*"))[\w.~+/-]{4,}={0,2}(?![\w=])/gi;
/** The whole of a quoted text or of what follows a colon, up to a quotation mark: whatever stands after the scheme. */
const wholeScheme =
  /((?:["'=]|:\s{0,3})(?:bearer|dpop)[\s+]{1,9}(?![a-z_]{1,40}=\\*"))[^"'\\\s=]{1,500}={0,2}(?=\\*["'])/gi;
const basic = /((?<![\w-])basic[\s+]{1,9})([\w+/-]{4,}={0,2})/gi;
const isNoWord = (text: string): boolean => /\d|[a-z][A-Z]/.test(text) || text.length >= 16;

/** Whether this is the Base64 of user and password. */
function isPair(text: string): boolean {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/')).includes(':');
  } catch {
    return false;
  }
}

/** The password of an address, and a long user's name without one, which is a key. */
const userInfo = /(\/\/[^\s/?#@:"'<>\\]{0,200}:)[^\s/?#"'<>\\]{1,500}(?=@)|(:\/\/)[\w.~%-]{16,500}(?=@)/g;

/** The password in a command with curl. */
const userOption = /((?<![\w-])(?:-u|--user)[ =]\\*["']?[^\s:"'\\]{1,100}:)[^\s"'\\]+/g;

/** The value of an option with a secret's name, as in a command. */
const option = /((?<![\w-])--([\w-]{2,40})\s{1,9}\\*["']?)(?!-)[^\s"'\\]+/g;

/** A parameter in a query, a fragment or a form, which may begin after a NUL between two texts. */
const parameter = /((?:^|[?&#\u0000])([\w.[\]+ -]{1,120})=)(?:(?!\?[\w.-]{1,40}=)[^&#"'\s\\<>])+/g;
/** A parameter whose name has a secret anywhere, or is one only as a parameter. */
const parameterName = /token|jwt|signature|secret|password|^(?:key|sig|code|proof)$/i;

/** The value of a form, a query or an element that names beside it what it is, as `<input name="token" value="…">`. */
const formValue =
  /((?:^|[?&\s\u0000])(?:name|key|field|header|parameter|param|id|k)=["']?([\w.%+-]{1,80})["']?[&\s]\s{0,9}(?:[\w.-]{1,40}=[^&\s]{0,100}[&\s]\s{0,9}){0,3}(?:value|val|v|content)=["']?)[^&#"'\s\\<>]+/gi;
const formValueBefore =
  /((?:^|[?&\s\u0000])(?:value|val|v|content)=["']?)[^&#"'\s\\<>]+(?=["']?[&\s]\s{0,9}(?:[\w.-]{1,40}=[^&\s]{0,100}[&\s]\s{0,9}){0,3}(?:name|key|field|header|parameter|param|id|k)=["']?([\w.%+-]{1,80}))/gi;
/** A part of a multipart body, up to the next boundary. */
const part =
  /(form-data;[^\r\n]{0,200}?\bname\*?=["']?([\w.'[\] -]{1,80})[^\r\n]{0,200}\r?\n(?:[\w-]{1,40}:[^\r\n]{0,200}\r?\n){0,5}\r?\n)(?!--)[^\r\n]+(?:\r?\n(?!--)[^\r\n]*)*/gi;

/** A value after a name and "=", as in a command or a log. */
/** The same with blanks, as in a program: no call or member. */
const stated = /((?<![\w.-])([\w.-]{2,80})["']?\s{1,3}=>?\s{0,3}\\*["']?)[\w+/~=-]{6,}(?![\w.([])/g;
const assigned = /((?<![\w.?&#-])([\w.-]{2,80})=\\*["']?)[^\s"'\\&,;<>]+/g;
/** A value after a secret's name and a colon, as in a sentence. */
const said =
  /((?<![\w.-])([\w.-]{2,80}|(?:api|signing|private|secret|access) key)\\*["']?\s{0,9}:\s{0,9}(?:[!&|>][\w!.+-]{0,40}\s{1,9})?\\*["']?)((?:[^\s"'\\&,;<>]|\\[^"\\]){4,})/gi;
/** A block of YAML, perhaps the first of a list's entry: the lines that are indented further than its name. */
const blocks = ['', '- '].map(
  (dash) =>
    new RegExp(
      String.raw`((?:^|(?<=["']))(?=[ \t]{0,80}${dash}["']?([\w.-]{2,80})["']?:)([ \t]{0,80})${dash}[^:\r\n]{2,90}:[ \t]{0,9}[|>][\d+-]{0,2}[ \t]{0,9}\r?\n)(?:\3${dash && '  '}[ \t]+[^\r\n]*(?:\r?\n|$)|[ \t]*\r?\n)+`,
      'gm',
    ),
);
/** A value of letters and digits directly after a secret's name, as in "API key a1b2c3 is unknown". */
const spoken =
  /((?<![\w-])(?:password|passphrase|secret|(?:api|signing|private|secret|access) key)\s(?:is |was )?\\*["'`]?)(?=[\w.~+/-]{0,60}\d)(?=[\w.~+/-]{0,60}[a-z])[\w.~+/-]{6,}={0,2}/gi;
/** A number after its name, as in a message. */
const digits =
  /((?<![A-Za-z\d])(?:pin|t?otp|cv[vc]|passcode)(?: code)?\\*["']?\s{0,3}(?:is |was |[:=])?\s{0,3}\\*["']?)\d{3,10}(?!\w)/gi;

/** A header in a text, unless short words follow it, as in "x-api-key: missing or unknown". */
const header =
  /((?<![\w-])((?:proxy-)?authorization|x-[\w-]{1,80}|ocp-apim-subscription-key)["']?\s{0,9}:\s{0,9}["']?(?!(?!bearer|basic|dpop|digest|negotiate)[a-z]{1,12} [a-z]{1,12}\b)(?:(?:bearer|basic|dpop|digest|negotiate)\s{1,9})?)[^\s"'\\,;[{]+/gi;
/** Credentials of any other scheme, with all their parameters: `Signature keyId="a", signature="…"`. */
const credentials =
  /((?<![\w-])(?:proxy-)?authorization["']?[^\S\r\n]{0,9}:[^\S\r\n]{0,9}["']?(?!(?:bearer|basic|dpop|negotiate)\b)[a-z][\w-]{1,40}[^\S\r\n]{1,9})(?![a-z]{1,12}(?![^\s"'\\]))(?:[^"'\\\r\n]|(?<==)"[^"\r\n]{0,1000}")+/gi;
const cookies = /((?<![\w-])(?:set-)?cookie\\*["']?\s{0,9}:\s{0,9}\\*["']?)[\w!#$%&*+.^`|~-]{1,200}=[^\r\n"\\]*/gi;

/** Matches the link to a payment file in an address of the console. */
const fileLink = /(\/api\/downloadpaymentfile\/)[^"'\s\\<>]+/gi;

/** An element of XML. */
const element = /(<([\w:.-]{1,80})(?:\s[^<>]{0,300})?>(?:<!\[CDATA\[)?)[^<>]+/g;
/** One that is named by an attribute. */
const namedElement =
  /(<[\w:.-]{1,80}\s[^<>]{0,300}?(?:name|key|id)=["']([\w.-]{1,80})["'][^<>]{0,300}>(?:<!\[CDATA\[)?)[^<>]+/g;

/** The places of a pattern's matches without the first group that matched, if they pass a test of name and value. */
function matchesOf(
  pattern: RegExp,
  text: string,
  passes: (name: string, value: string) => boolean = () => true,
): Place[] {
  return Array.from(text.matchAll(pattern), ({ 0: whole, 1: first, 2: second = '', index }): Place => {
    const before = (first ?? (whole.startsWith(second) ? second : '')).length;
    return passes(second, whole.slice(before)) ? [index + before, index + whole.length] : [index, index];
  }).filter(([from, to]) => from < to);
}

/** Leaves the brackets at a value's end, which belong to what is around it. */
function withoutBrackets(text: string, [from, to]: Place): Place {
  let end = to;
  while (end - 1 > from && (text[end - 1] === '}' || text[end - 1] === ']')) end -= 1;
  return [from, end];
}

/** The JWTs in a text. */
const jwtsIn: Find = (text) =>
  Array.from(text.matchAll(parts), ({ 0: whole, index }): Place => {
    const at = jwtIn(whole);
    return at === -1 ? [index, index] : [index + at, index + whole.length];
  }).filter(([from, to]) => from < to);

/** Finds what has the form of a token. */
export const tokensIn: Find = (text) => [...(text.includes('eyJ') ? jwtsIn(text) : []), ...matchesOf(kinds, text)];

/** Finds what stands beside a secret's name or a scheme of authentication. */
const besideName: Find = (text) => [
  ...namedIn(text),
  ...[credentials, spoken, digits, cookies, wholeScheme].flatMap((each) => matchesOf(each, text)),
  ...matchesOf(scheme, text, (_, value) => isNoWord(value)),
  ...matchesOf(basic, text, (value) => isPair(value)),
  ...[element, namedElement, option, part, ...blocks, formValue, formValueBefore].flatMap((each) =>
    matchesOf(each, text, isSecretName),
  ),
  ...[
    ...[assigned, header].flatMap((each) => matchesOf(each, text, isSecretName)),
    ...matchesOf(stated, text, (name, value) => isSecretName(name) && /\d/.test(value)),
    ...matchesOf(said, text, (name, value) => isSecretName(name) && (/\d/.test(value) || value.length >= 16)),
  ].map((place) => withoutBrackets(text, place)),
];

/** Finds tokens and keys, and what has a secret's name or stands where a secret stands. */
export const secretsIn: Find = (text) => [
  ...tokensIn(text),
  ...[privateKey, webKey, userInfo, userOption, fileLink].flatMap((each) => matchesOf(each, text)),
  ...matchesOf(parameter, text, (name) => parameterName.test(name) || isSecretName(name)),
  ...(mayNameSecret(text) ? besideName(text) : []),
];

/** Returns the text with `mark`, by default `secretIsSet`, in place of what `secretsIn` finds. */
export const maskSecrets = (text: string, mark?: string): string => maskedAt(text, placesOf(text, secretsIn), mark);
