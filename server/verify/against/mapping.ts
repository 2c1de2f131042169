import { z } from 'zod';
import { parseOptions, readOptionFile } from '../optionFile.ts';
import { UseError } from '#rules/useError.ts';

const is = (right: string) => ({ error: () => `give ${right}` });

const text = (right: string) => z.string(is(right)).min(1, is(right));
const texts = (right: string) => z.array(text(right), is(right)).min(1, is(right));

/** The place of a member in JSON, its names joined by dots; one of the whole is ''. */
const member = (right: string) => text(right).regex(/^[^.]+(\.[^.]+)*$/, is(right));

/** A call: method and path below `url`, in which `{}` with a name stands for one segment. */
const call = (methods: readonly string[], example: string) => {
  const right = `method and path, such as "${example}", with ${methods.join(', ')} as method`;
  return z
    .string(is(right))
    .regex(new RegExp(`^(${methods.join('|')}) /\\S*$`), is(right))
    .transform((value) => {
      const [method = '', path = ''] = value.split(' ');
      const segments = path
        .split('/')
        .map((each) => (/^\{[^{}]*\}$/.test(each) ? '([^/]+)' : each.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')));
      return { text: value, method, path: new RegExp(`^${segments.join('/')}/?$`) };
    });
};

/** Where an answer tells what became of payments. */
const answer = {
  payments: member('the member with the list of payments, such as "items"').optional(),
  identifiedBy: texts('the members of a payment that identify it, such as ["item.reference"]').optional(),
  status: member('the member with the status, such as "data.status"').optional(),
};

const placeholders = ['{id}', '{timestamp}', '{type}', '{status}', '{batch}'] as const;

const webhooks = z.strictObject(
  {
    path: text('the path at the program, such as "/webhooks"').startsWith('/', is('a path that begins with "/"')),
    secretVariable: text('the name of the variable by which the program learns the secret'),
    body: z
      .record(z.string(), z.json(), is(`an object with ${placeholders.join(', ')} in its texts`))
      .refine((body) => JSON.stringify(body).includes('{status}'), is('a body with {status} in one of its texts')),
    type: text('the type of a webhook about a payment, such as "payment.updated"').default('payment.updated'),
    headers: z.record(z.string(), z.string(is('a text')), is('an object of texts')).default({}),
    signature: z.strictObject(
      {
        header: text('the name of the header, such as "Webhook-Signature"'),
        signs: text('what is signed, such as "{timestamp}.{body}"').includes('{body}', is('a text with {body}')),
        algorithm: z.enum(['sha256', 'sha512', 'sha1'], is('sha256, sha512 or sha1')).default('sha256'),
        encoding: z.enum(['hex', 'base64'], is('hex or base64')).default('hex'),
        value: text('the header, such as "t={timestamp},v1={signature}"')
          .includes('{signature}', is('a text with {signature}'))
          .default('{signature}'),
        separator: z.string(is('what stands between several signatures')).optional(),
      },
      is('how webhooks are signed: header, signs, algorithm, encoding, value'),
    ),
  },
  is('path, secretVariable, body and signature'),
);

const shape = z.strictObject(
  {
    url: z.url({
      protocol: /^https?$/,
      ...is('the address of the test service, such as "https://api.sandbox.example"'),
    }),
    movesNoMoney: z.literal(true, is('true, once you are sure that this is a test service in which no money moves')),
    idempotencyKey: text('the name of the header of the idempotency key, such as "Idempotency-Key"'),
    writes: z
      .array(
        z.strictObject(
          {
            call: call(['POST', 'PUT', 'PATCH'], 'POST /v1/payouts'),
            payments: member('the member of the body with the list of payments, such as "items"').optional(),
            identifiedBy: texts('the members of a payment that identify what is paid, such as ["reference"]'),
            answer: z.strictObject(
              { id: member('the member with the id of what was created, such as "data.id"'), ...answer },
              is('{ "id": … } with the member that holds the id of what was created'),
            ),
          },
          is('a call with identifiedBy and answer'),
        ),
        is('a list of the calls that pay'),
      )
      .min(1, is('at least one call that pays')),
    reads: z
      .array(
        z.strictObject(
          { call: call(['GET'], 'GET /v1/payouts/{id}'), answer: z.strictObject(answer, is('where its status is')) },
          is('a call with its answer'),
        ),
        is('a list of the calls that read a payment'),
      )
      .default([]),
    tokens: z
      .array(
        z.strictObject(
          {
            call: call(['POST', 'GET'], 'POST /oauth2/token'),
            token: member('the member of the answer with the token, such as "access_token"'),
          },
          is('a call with the member that holds its token'),
        ),
        is('a list of the calls that give tokens'),
      )
      .default([]),
    statuses: z.strictObject(
      {
        paid: texts('the final statuses of a payment that is made, such as ["SUCCESS"]'),
        failed: texts('the final statuses of a payment that is not made, such as ["FAILED"]'),
        pending: text('a status that is not final, such as "PENDING"').default('PENDING'),
      },
      is('the statuses that are final: paid and failed'),
    ),
    creditors: texts('the payees of the test service to which verify pays, such as ["payee-1@example.com"]').min(
      2,
      is('at least two payees'),
    ),
    currency: text('the currency of the payments, such as "EUR"').default('EUR'),
    amounts: texts('decimal texts, such as ["1.10", "2.35"]')
      .min(2, is('at least two amounts'))
      .default(['1.99', '0.29', '12.89', '1.20', '7.10']),
    credentialHeaders: z.array(text('a name of a header'), is('names of headers')).default([]),
    secrets: z.array(text('a name of a variable'), is('names of variables that hold secrets')).default([]),
    urlVariable: text('the name of the variable by which the program learns the address').default('PAYMENTS_URL'),
    webhooks: webhooks.optional(),
  },
  is('an object'),
);

/** What a mapping says about another service (docs/verify.md, "Another service"). */
export type Mapping = z.output<typeof shape>;
export type MappedWebhooks = z.output<typeof webhooks>;

/** Returns what contradicts itself in a mapping; undefined if nothing does. */
function contradiction({ writes, reads, tokens, statuses }: Mapping): string | undefined {
  const calls = [...writes, ...reads, ...tokens].map((each) => each.call.text);
  const twice = calls.find((each, index) => calls.indexOf(each) !== index);
  if (twice !== undefined) return `${twice} is named twice: name each call in one place`;
  const both = statuses.paid.find((status) => statuses.failed.includes(status));
  if (both !== undefined) return `at statuses: ${both} is both paid and failed: name it in one of them`;
  return undefined;
}

/** Parses the text of a mapping, called `path` in messages. Throws UseError. */
export function parseMapping(path: string, source: string): Mapping {
  const mapping = parseOptions(path, source, shape);
  const wrong = contradiction(mapping);
  if (wrong === undefined) return mapping;
  throw new UseError(`${path} is wrong ${wrong}.`);
}

/** Reads a mapping. Throws UseError. */
export async function readMapping(path: string): Promise<Mapping> {
  return parseMapping(path, (await readOptionFile('--against', path)) ?? '');
}
