import { maskedAt, matchesIn, placesOf, type Find, type Place } from './masking.ts';
import { namedIn } from './secretMembers.ts';
import { isSecretName, mayNameSecret } from './secretNames.ts';
import { columnsIn } from './secretTables.ts';

/*
 * Secrets by their form, their name or their place, in a text that is not encoded. Each pattern takes time in proportion
 * to the text: its repetitions are bounded, or begin where nothing of theirs precedes.
 */

/** A dot between the parts of a JWT, which signs around it may escape or break. */
const dot = String.raw`[^\w-]{0,6}\.[^\w-]{0,6}`;
/** Matches what consists of parts like a JWT, signed or encrypted. */
const parts = new RegExp(String.raw`(?<![\w-])[\w-]{11,}${dot}(?:[\w-]{8,})?${dot}[\w-]*(?:\.[\w-]+){0,2}`, 'g');
/** The Base64 of "{", perhaps with white space; minimum length of the first part of a JWT. */
const [mayBegin, shortestHeader] = [/ey[A-J]|ew[0ok]/g, 11];

/** Where the JWT begins in parts, which something may precede; -1 if there is none. */
function jwtIn(whole: string): number {
  for (const { index } of whole.matchAll(mayBegin)) {
    const [header = ''] = /^[\w-]+/.exec(whole.slice(index, index + shortestHeader)) ?? [];
    if (
      header.length === shortestHeader &&
      /^\{\s*["\s]/.test(atob(header.slice(0, 8).replaceAll('-', '+').replaceAll('_', '/')))
    )
      return index;
  }
  return -1;
}

/** A program's token (server/programs/tokens.ts), and keys that carry their kind. */
const kinds =
  /pocp_[\w-]{43}|(?<!\w)(?:whsec_[\w+/-]{16,}={0,2}|[srp]k_(?:live|test)_\w{16,}|gh[pousr]_\w{36,}|github_pat_\w{22,}|A[KS]IA[A-Z\d]{16}|AIza[\w-]{35}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}|glpat-[\w-]{20,}|sk-[\w-]{20,}|hf_\w{30,}|npm_\w{36,}|SG\.[\w-]{20,}\.[\w-]{20,}|AGE-SECRET-KEY-1[A-Z\d]{20,})/g;
/** A private key as PEM, SSH, PGP or PuTTY write it, and a private or symmetric JSON web key. */
const pem =
  /-{4,5} ?BEGIN [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,10} ?-{4,5}(?:(?!-{4})[\w+/=\s:,.\\-])*(?:-{4,5} ?END [A-Z\d ]{1,60} ?-{4,5})?/g;
const putty = /(Private-Lines: ?\d{1,9}[ \t]{0,9}\r?\n)[\w+/=]+(?:\r?\n[\w+/=]+(?![\w+/=:-]))*/gi;
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

/** A part of a multipart body, up to the next boundary. */
const part =
  /(form-data;[^\r\n]{0,200}?\bname\*?=["']?([\w.'[\] -]{1,80})[^\r\n]{0,200}\r?\n(?:[\w-]{1,40}:[^\r\n]{0,200}\r?\n){0,5}\r?\n)(?!--)[^\r\n]+(?:\r?\n(?!--)[^\r\n]*)*/gi;

/** What names a value, its first group being the name, and the value that stands after it and after the second group. */
interface Naming {
  name: RegExp;
  value: RegExp;
  /** Whether the value of a secret's name is a secret; any is, if absent. */
  passes?: (value: string) => boolean;
}

/** A value after a name and "=", as in a command or a log. */
const assigned: Naming = { name: /(?<![\w.?&#-])([\w.-]{2,80})\\?=\\*["']?/g, value: /[^\s"'\\&,;<>]+/y };
/** The same with blanks, as in a program: no call or member. */
const stated: Naming = {
  name: /(?<![\w.-])([\w.-]{2,80})["']?\s{1,3}(?::=|->|=>?)\s{0,3}\\*["']?/g,
  value: /[\w+/~=-]{6,}(?![\w.([])/y,
  passes: (value) => /\d/.test(value),
};
/** What may surround a name or a value: quotation marks, those of Markdown, and tags. */
const mark = String.raw`\\*(?:["'*_\x60]{1,3}|</?[a-z]{1,10}>)?`;
/** A value after a secret's name and a colon, as in a sentence. */
const said: Naming = {
  name: new RegExp(
    String.raw`(?<![A-Za-z\d.-])([\w.-]{2,80}|(?:api|signing|private|secret|access) key)${mark}\s{0,9}:${mark}\s{0,9}(?:[!&|>][\w!.+-]{0,40}\s{1,9})?${mark}`,
    'gi',
  ),
  value: /(?![|>][\d+-]{0,2}\\[nr])(?:[^\s"'\\&,;<>]|\\[^"\\]){4,}/y, // not where a block begins
  passes: (value) => /\d/.test(value) || value.length >= 16,
};
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
  /((?<![\w-])(?:[\w.]{1,40}[._])?(?:password|passphrase|secret|(?:api|signing|private|secret|access) key)\s(?:is |was |but got )?\\*["'`[(]?)(?=[\w.~+/-]{0,60}\d)(?=[\w.~+/-]{0,60}[a-z])[\w.~+/-]{6,}={0,2}/gi;
/** A number after its name, as in a message. */
const digits =
  /((?<![A-Za-z\d])(?:pin|t?otp|cv[vc]|passcode)(?: code)?\\*["']?\s{0,3}(?:is |was |[:=])?\s{0,3}\\*["']?)\d{3,10}(?!\w)/gi;

/** A header in a text, unless short words follow it, as in "x-api-key: missing or unknown". */
const header: Naming = {
  name: /(?<![\w-])((?:proxy-)?authorization|x-[\w-]{1,80}|ocp-apim-subscription-key)["']?\s{0,9}:\s{0,9}["']?(?!(?!bearer|basic|dpop|digest|negotiate)[a-z]{1,12} [a-z]{1,12}\b)(?:(?:bearer|basic|dpop|digest|negotiate)\s{1,9})?/gi,
  value: /[^\s"'\\,;[{]+/y,
};
/** Credentials of any other scheme, with all their parameters: `Signature keyId="a", signature="…"`. */
const credentials =
  /((?<![\w-])(?:proxy-)?authorization["']?[^\S\r\n]{0,9}:[^\S\r\n]{0,9}["']?(?!(?:bearer|basic|dpop|negotiate)\b)[a-z][\w-]{1,40}[^\S\r\n]{1,9})(?![a-z]{1,12}(?![^\s"'\\]))(?:[^"'\\\r\n]|(?<==)"[^"\r\n]{0,1000}")+/gi;
const cookies = /((?<![\w-])(?:set-)?cookie\\*["']?\s{0,9}:\s{0,9}\\*["']?)[\w!#$%&*+.^`|~-]{1,200}=[^\r\n"\\]*/gi;

/** What follows a segment of a path, such as the link to a payment file in an address of the console: a whole address, decoded or not. */
const segment = /(?<=\/(\w(?:[\w.-]|%20){1,79})\/)(?:https?:\/\/[^"'\s\\<>]+|[^/?#"'\s\\<>&;,()]+)/g;
/** A page of such a path, as "/reset-password/confirm", or a line of a program. */
const isPage = (text: string): boolean =>
  /^(?:.{0,5}|\D{0,15}|[a-z]+(?:-[a-z]+)*)$|\.[cm]?[jt]sx?(?::\d+)*$/.test(text);

/** What may stand between an element's tag and its text: a comment, an element that only holds it, and the beginning of CDATA. */
const within = String.raw`\s{0,20}(?:<!--[^<>]{0,200}-->\s{0,20})?(?:<(?:value|string|text)\b[^<>]{0,100}>\s{0,20})?(?:<!\[CDATA\[)?`;
const textOfElement = /(?<=<!\[CDATA\[)(?:(?!\]\]>)[^])+|[^<>]+/y;
/** An element of XML. */
const element: Naming = {
  name: new RegExp(String.raw`<([\w:.-]{1,80})(?:\s[^<>]{0,300})?>(?=(${within}))`, 'g'),
  value: textOfElement,
};
/** One that is named by an attribute. */
const namedElement: Naming = {
  name: new RegExp(
    String.raw`<[\w:.-]{1,80}\s[^<>]{0,300}?(?:name|key|id)=["']([\w.-]{1,80})["'][^<>]{0,300}>(?=(${within}))`,
    'g',
  ),
  value: textOfElement,
};
/** An element that follows one which says its name, as in `<dt>Password</dt><dd>…</dd>`. */
const nextElement =
  /(<[\w:.-]{1,40}(?:\s[^<>]{0,300})?>\s{0,9}([A-Za-z][\w .-]{1,60}?)\s{0,9}:?<\/[\w:.-]{1,40}>\s{0,20}<(?!\/|th\b)[\w:.-]{1,40}(?:\s[^<>]{0,300})?>\s{0,9})[^<\s]+(?=\s{0,20}<)/gi;

/** The places of a pattern's matches without the first group that matched, if they pass a test of name and value. */
function matchesOf(
  pattern: RegExp,
  text: string,
  passes: (name: string, value: string) => boolean = () => true,
): Place[] {
  return Array.from(matchesIn(text, pattern), ({ 0: whole, 1: first, 2: second = '', index }): Place => {
    const before = (first ?? (whole.startsWith(second) ? second : '')).length;
    return passes(second, whole.slice(before)) ? [index + before, index + whole.length] : [index, index];
  }).filter(([from, to]) => from < to);
}

/** The places of the values of secrets' names. After any other name the text is read on, because a name may follow it. */
function valuesIn({ name, value, passes = () => true }: Naming, text: string): Place[] {
  const places: Place[] = [];
  let readTo = 0;
  for (const { 0: whole, 1: called = '', 2: between = '', index } of matchesIn(text, name)) {
    if (index < readTo || !isSecretName(called)) continue;
    value.lastIndex = index + whole.length + between.length;
    const { 0: found, index: from } = value.exec(text) ?? { 0: '', index: 0 };
    if (found === '' || !passes(found)) continue;
    readTo = from + found.length;
    places.push([from, readTo]);
  }
  return places;
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
export const tokensIn: Find = (text) => [
  ...(/ey[A-J]|ew[0ok]/.test(text) ? jwtsIn(text) : []),
  ...matchesOf(kinds, text),
];

const segmentsIn: Find = (text) =>
  Array.from(text.matchAll(segment), ({ 0: value, 1: name = '', index }): Place => {
    const isSecret = isSecretName(name.replaceAll('%20', ' ')) && !isPage(value);
    return [index, index + (isSecret ? value.length : 0)];
  }).filter(([from, to]) => from < to);

type Passes = (name: string, value: string) => boolean;

/** What has the form or the place of a secret. */
const forms: readonly [pattern: RegExp, passes?: Passes][] = [
  [pem],
  [putty],
  [webKey],
  [userInfo],
  [userOption],
  [parameter, (name) => parameterName.test(name) || isSecretName(name)],
];

/** What stands after a scheme of authentication or a secret's name, in each notation. */
const named: readonly [pattern: RegExp, passes?: Passes][] = [
  [credentials],
  [spoken],
  [digits],
  [cookies],
  [wholeScheme],
  [scheme, (_, value) => isNoWord(value)],
  [basic, (value) => isPair(value)],
  ...[option, part, ...blocks].map((each): [RegExp, Passes] => [each, isSecretName]),
  [nextElement, (name, value) => isSecretName(name) && !isSecretName(value)],
];

/** Finds what stands beside a secret's name or a scheme of authentication. */
const besideName: Find = (text) => [
  ...namedIn(text),
  ...columnsIn(text),
  ...segmentsIn(text),
  ...named.flatMap(([pattern, passes]) => matchesOf(pattern, text, passes)),
  ...[element, namedElement].flatMap((each) => valuesIn(each, text)),
  // Brackets around these may end them.
  ...[assigned, header, stated, said]
    .flatMap((each) => valuesIn(each, text))
    .map((place) => withoutBrackets(text, place)),
];

/** Finds tokens and keys, and what has a secret's name or stands where a secret stands. */
export const secretsIn: Find = (text) => [
  ...tokensIn(text),
  ...forms.flatMap(([pattern, passes]) => matchesOf(pattern, text, passes)),
  ...(mayNameSecret(text) ? besideName(text) : []),
];

/** Returns the text with `mark`, by default `secretIsSet`, in place of what `secretsIn` finds. */
export const maskSecrets = (text: string, mark?: string): string => maskedAt(text, placesOf(text, secretsIn), mark);
