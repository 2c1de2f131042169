import type { Collection, CollectionRequest } from './collection.ts';
import { baseStringLines, memberOf, todayLine } from './scripts.ts';

const event = (listen: 'prerequest' | 'test', exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const set = (name: string, code: string): string => `pm.variables.set('${name}', ${code});`;
const uuid = "pm.variables.replaceIn('{{$guid}}')";

const before: readonly string[] = [
  ...['nonce', 'idempotencyKey', 'interactionId'].map((name) => set(name, uuid)),
  set('executionDate', todayLine),
];

/** `CryptoJS` is there without an import. */
const signLines = (key: string): string[] => [
  ...baseStringLines,
  'const base64 = (text) => CryptoJS.enc.Base64.stringify(CryptoJS.enc.Utf8.parse(text));',
  'const filled = (text) => pm.variables.replaceIn(text);',
  "const text = baseString({ method: pm.request.method, url: filled(pm.request.url.toString()), body: filled(pm.request.body?.raw ?? ''), nonce: pm.variables.get('nonce'), base64 });",
  set('signature', `CryptoJS.enc.Base64.stringify(CryptoJS.HmacSHA1(text, pm.variables.get('${key}') + '&null'))`),
];

/** An address by its parts, as the schema and converters have it; the first part is a variable. */
function addressOf(raw: string) {
  const [, host = '', path = '', query] = /^([^/?]*)([^?]*)(?:\?(.*))?$/.exec(raw) ?? [];
  return {
    raw,
    host: [host],
    ...(path !== '' && { path: path.slice(1).split('/') }),
    ...(query !== undefined && {
      query: query.split('&').map((each) => {
        const [, key = '', value = null] = /^([^=]*)(?:=(.*))?$/.exec(each) ?? [];
        return { key, value };
      }),
    }),
  };
}

/** Collection variables outlast the request, those of `pm.variables` do not. */
const keep = (name: string, code: string): string => `pm.collectionVariables.set('${name}', ${code});`;

function itemOf({ name, method, url, headers, body, signedWith, made, learned }: CollectionRequest) {
  const first = [...made.map((each) => keep(each, uuid)), ...(signedWith === '' ? [] : signLines(signedWith))];
  const then = learned.map(({ variable, path }) => keep(variable, memberOf('answer', path)));
  return {
    name,
    event: [
      ...(first.length > 0 ? [event('prerequest', first)] : []),
      event('test', [
        "pm.test('is accepted', () => pm.expect(pm.response.code).to.be.below(400));",
        ...(then.length > 0 ? ['const answer = pm.response.json();', ...then] : []),
      ]),
    ],
    request: {
      method,
      header: headers.map(([key, value]) => ({ key, value })),
      url: addressOf(url),
      ...(body !== '' && { body: { mode: 'raw', raw: body } }),
    },
  };
}

/** Returns a Postman collection, version 2.1. */
export const postmanOf = ({ variables, requests, given, omitted }: Collection, name: string) => ({
  info: {
    name,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    ...(omitted.length > 0 && { description: omitted.join('\n') }),
  },
  variable: variables.map(({ name: key, value }) => ({
    key,
    value,
    type: 'string',
    ...(given.includes(key) && { description: 'Secret: give its value when you run the collection.' }),
  })),
  event: [event('prerequest', before)],
  item: requests.map(itemOf),
});
