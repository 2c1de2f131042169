/** Names of secrets, without marks between their words, as a name may end: apiKey, x-api-key, signingKeys; tokens are counted. Written out, they are found in a third of the time. */
const names =
  'jwt|secret|password|passwd|passphrase|passcode|credential|assertion|sessionid|cookie|paymentfile|codeverifier|samlresponse|apikey|signingkey|privatekey|secretkey|accesskey|subscriptionkey|webhookkey|encryptionkey|sharedkey|functionkey|functionskey|masterkey|verificationcode|securitycode|authcode|authorizationcode';
const endings = new RegExp(`(?:token|(?:${names})s?)$`);
/** Names of secrets as a whole. */
const wholes = /^(?:proxy|http|x)?authorization$/;
/** Finds all of these, and schemes of authentication, in a text without marks between its words. */
const anywhere = new RegExp(`token|${names}|authorization|bearer|dpop|negotiate|basic`);
/** Finds the others in a text in lower case: last words of names, and headers as `X-Auth` and `X-…-Key`. */
const lastWord =
  /(?:pin|otp|cv[vc]|pwd|[cx]srf)(?:[^a-z\d]*(?:code|value))?(?![a-z])|(?<![a-z\d])x.{0,80}(?:auth|key)(?![a-z])/;
/** Last words of secrets' names, which other words contain ("spin", "pinned"). */
const lastWords = new Set(['pin', 'otp', 'totp', 'cvv', 'cvc', 'pwd', 'csrf', 'xsrf']);

/** What a header `X-…-Key` is a key of without being a secret. */
const publicKeys = new Set(['', 'x', 'idempotency', 'public', 'cache', 'surrogate', 'partition', 'sort', 'routing']);

/** The words of a name, in any notation. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

const naming = 'name|key|field|header|parameter|param|id|k|label|variable|property|attribute|setting|type|question';
const holding = 'values?|val|v|contents?|data|current|text|string|answer|raw|plain|default|input';
const [isNaming, isHolding] = [naming, holding].map((words) => new RegExp(`^(?:${words})$`)) as [RegExp, RegExp]; // two
/** Whether a member of this name may say what the value beside it is, as fieldName, and whether it may hold that value. */
export const namesMember = (name: string): boolean => isNaming.test(wordsOf(name).at(-1) ?? '');
export const holdsNamed = (name: string): boolean => isHolding.test(wordsOf(name).at(-1) ?? '');
/** Whether a text beside a secret's name only speaks of it: it is a sentence. */
export const isSentence = (text: string): boolean => /^\p{Lu}[^]*\s[^]*[.!?]$/u.test(text);
/** Whether a member within a secret's object only describes it. */
export const describesSecret = (name: string): boolean =>
  /^(?:type|kind|format|scheme|label|title|description)$/i.test(name);

/** Names that were asked for: the same few come again in every message. Long ones and more of them are not remembered. */
const known = new Map<string, boolean>();
const [mostKnown, longestKnown] = [1000, 80];

/**
 * Whether a member, parameter or header of this name holds a secret, in any notation: access_token, X-Session-Id,
 * smsOtp, Ocp-Apim-Subscription-Key. The link to a payment file authorises itself.
 */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const isSecret = namesSecret(name);
  if (known.size < mostKnown && name.length <= longestKnown) known.set(name, isSecret);
  return isSecret;
}

/** Whether a text may hold a secret's name or a scheme of authentication; most texts hold none, and are not searched further. */
export function mayNameSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return lastWord.test(lower) || anywhere.test(lower.replace(/[^a-z\d]+/g, ''));
}

function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const [joined, before] = [words.join(''), words.at(-2) ?? ''];
  return (
    endings.test(joined) ||
    wholes.test(joined) ||
    lastWords.has(last === 'code' || last === 'value' ? before : last) ||
    (words[0] === 'x' && (last === 'auth' || (last === 'key' && !publicKeys.has(before))))
  );
}
