import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import type { Description } from '#contract/description.ts';
import { faultPlaces } from '#contract/faults.ts';
import { serviceCall } from '#contract/serviceCalls.ts';
import { operationsIn } from '#rules/description.ts';
import { operations, type OperationName } from '#server/upstream/operations.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { withRows } from '#tests/support/documentTables.ts';
import { lintOpenApi } from '#tests/support/lintOpenApi.ts';
import { rulesOf } from '#tests/support/numberedRules.ts';

type Part = Record<string, unknown>;
const document = JSON.parse(JSON.stringify(serviceOpenApi())) as Record<string, Record<string, Part>>; // plain JSON
const file = 'docs/wire.md';
const names = Object.keys(operations) as OperationName[]; // its own keys

/** All objects within a value that say where they come from, with their places. */
function partsIn(value: unknown, place = ''): { place: string; part: Part }[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'x-source' in value ? [{ place, part: value as Part }] : [];
  return [...own, ...Object.entries(value).flatMap(([name, each]) => partsIn(each, `${place}/${name}`))];
}

const marks = new Map(
  rulesOf(readFileSync(file, 'utf8')).map(({ number, text }) => [
    number,
    [...text.matchAll(/\*\*(public|console|choice)\*\*/g)].map(([, mark]) =>
      mark === 'choice' ? 'sandbox' : 'specification',
    ),
  ]),
);

/** The pages for people, which are no part of the protocol. */
const isPage = (path: string) => /^\/$|^\/favicon\.ico$|^\/etransfer\/|^\/idp\/authorize$|^\/provider\//.test(path);
/** Those of the lab have a description of their own. */
const isOfLab = (path: string) => path.startsWith('/sandbox/');

describe('The description of the service', () => {
  it('passes the linter without an exception (wire 18.1)', async () => {
    expect(await lintOpenApi(document)).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
  }, 60_000);

  it('says of each operation, body, answer, header and credential where it comes from (wire 18.1)', () => {
    const described = [document['paths'], document['webhooks']].flatMap((each) =>
      Object.values(each ?? {}).flatMap((methods) => Object.values(methods) as Part[]),
    );
    expect(described.length).toBeGreaterThan(names.length);
    for (const operation of described) {
      const { parameters = [], requestBody, responses } = operation as { parameters?: Part[] } & Record<string, Part>;
      const parts = [
        operation,
        ...parameters,
        ...Object.values(responses ?? {}),
        ...(requestBody ? [requestBody] : []),
      ];
      for (const part of parts as Part[]) {
        const { schema } = part as { schema?: Part };
        expect(part['x-source'] ?? schema?.['x-source'], JSON.stringify([operation['operationId'], part])).toMatch(
          /^(specification|sandbox)$/,
        );
      }
    }
    for (const [name, scheme] of Object.entries(document['components']!['securitySchemes']!))
      expect([name, scheme]).toEqual([name, expect.objectContaining({ 'x-source': 'specification' })]);
  });

  it('has the sources that the lines of the protocol are marked with (wire 18.1)', () => {
    const parts = partsIn(document);
    expect(parts.length).toBeGreaterThan(150);
    const wrong = parts.flatMap(({ place, part }) =>
      ((part['x-wire'] ?? []) as string[])
        .filter((line) => !marks.get(line)?.includes(part['x-source'] as 'sandbox'))
        .map((line) => `${place} says ${String(part['x-source'])}, wire ${line} says ${String(marks.get(line))}`),
    );
    expect(wrong).toEqual([]);
  });

  it('says of each member that a line chooses that it is chosen, and by which line (wire 18.4, 18.5)', () => {
    const members = new Map<string, Part[]>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties } = value as { properties?: Record<string, Part> };
      for (const [name, member] of Object.entries(properties ?? {}))
        members.set(name, [...(members.get(name) ?? []), member]);
      Object.values(value).forEach(collect);
    };
    collect(document);
    const cites = (line: string, name: string) =>
      partsIn(document).some(
        ({ place, part }) =>
          ((part['x-wire'] ?? []) as string[]).includes(line) &&
          part['x-source'] === 'sandbox' &&
          (place.endsWith(`/${name}`) || JSON.stringify(part).includes(`"${name}"`)),
      );
    // A claim of tokens, how a refusal, a failed batch and a bank are judged, and this document's own members: none chooses a body's form.
    const elsewhere = ['2.2.7', '4.4', '12.4', '17.2', '18.1'];
    const missing = rulesOf(readFileSync(file, 'utf8')).flatMap(({ number, text }) => {
      const chosenText = text.split('**choice**')[1] ?? '';
      const named = [...chosenText.matchAll(/`([\w.]+)`/g)].flatMap(([, each]) => each!.split('.').slice(-1));
      return elsewhere.includes(number)
        ? []
        : named.filter((name) => members.has(name) && !cites(number, name)).map((name) => `${number} ${name}`);
    });
    expect(missing).toEqual([]);
    const unlined = partsIn(document).filter(({ part }) => !Array.isArray(part['x-wire']));
    expect(unlined.map(({ place }) => place)).toEqual([]);
    for (const name of ['externalId', 'additionalData', 'requestedExecutionDateTime', 'companyId', 'debtors'])
      expect(
        members.get(name)?.some((each) => each['x-source'] === 'sandbox'),
        name,
      ).toBe(true);
  });

  it('puts each operation and webhook into one area, all of which are described (wire 18.1)', () => {
    const tagged = [document['paths'], document['webhooks']]
      .flatMap((each) => Object.values(each ?? {}).flatMap((methods) => Object.values(methods) as Part[]))
      .map(({ tags }) => tags as string[]);
    expect(tagged.every((tags) => tags.length === 1)).toBe(true);
    const areas = Object.values(document['tags'] ?? {}).map(({ name }) => String(name));
    expect([...new Set(tagged.flat())].toSorted()).toEqual(areas.toSorted());
  });

  it('lists the operations of docs/wire.md (wire 18.1)', async () => {
    const rows = names.map((name) => {
      const { source } = operations[name];
      const { methods, path, proof } = serviceCall(name);
      return [name, `\`${methods.join(', ')} ${path}\``, proof, source['x-source'], source['x-wire'].join(', ')];
    });
    await expect(await withRows(file, { operations: rows })).toMatchFileSnapshot(`../../../${file}`);
  });

  it('has exactly the routes of the sandbox that are neither its lab’s nor pages (wire 18.1)', async () => {
    const register = vi.spyOn(Router.prototype, 'register');
    const sandbox = await createSandbox({ seed: 1 });
    await sandbox.fetch('/v3/status');
    const served = register.mock.calls.flatMap(([path, methods]) =>
      methods.map((method) => `${method.toUpperCase()} ${String(path).replaceAll(/:(\w+)/g, '{$1}')}`),
    );
    register.mockRestore();
    await sandbox.close();
    const protocol = [...new Set(served)].filter((route) => {
      const path = route.replace(/^\w+ /, '');
      return !isOfLab(path) && !isPage(path) && path !== '/openapi.json';
    });
    const described = names.flatMap((name) => {
      const { methods, path } = serviceCall(name);
      return methods.map((method) => `${method} ${path}`);
    });
    expect(protocol.toSorted()).toEqual(described.toSorted());
  });

  it('has a webhook for each type that the sandbox sends (wire 18.1)', () => {
    expect(Object.keys(document['webhooks'] ?? {}).toSorted()).toEqual([...faultPlaces.webhook].toSorted());
  });

  it('asks for an idempotency key in each call that creates something, and in messages (wire 18.3)', () => {
    const asks = (part: Part) =>
      ((part['parameters'] ?? []) as Part[]).some(
        ({ name, required }) => name === 'x-idempotency-key' && required === true,
      );
    const posts = Object.entries(document['paths'] ?? {}).flatMap(([path, { post }]) =>
      post ? [{ path, post: post as Part }] : [],
    );
    expect(posts.filter(({ post }) => !asks(post)).map(({ path }) => path)).toEqual(['/auth-v1/accessToken']);
  });

  it('is answered by the sandbox to anyone, with its own address (wire 18.1)', async () => {
    const sandbox = await createSandbox({ seed: 1 });
    const answer = await sandbox.fetch('/openapi.json');
    const body = (await answer.json()) as typeof document & { servers: unknown };
    expect([answer.status, body.servers]).toEqual([200, [{ url: sandbox.url }]]);
    expect({ ...body, servers: document['servers'] }).toEqual(document);
    await sandbox.close();
  });

  it('names the members of tokens, key sets, translations and statuses (wire 18.2)', async () => {
    const sandbox = await createSandbox({ seed: 1 });
    const { keys } = (await (await sandbox.fetch('/auth-v1/.well-known/jwks.json')).json()) as { keys: unknown[] };
    expect(keys).toHaveLength(1);
    const status = (await (await sandbox.fetch('/v3/status')).json()) as object;
    expect(Object.keys(status).toSorted()).toEqual(['branch', 'name', 'version']);
    await sandbox.close();
    const { text = '' } = rulesOf(readFileSync(file, 'utf8')).find(({ number }) => number === '18.2') ?? {};
    const [others = '', ofStatus = ''] = text.split('a status has ');
    const named = (part: string) => [...part.matchAll(/`([\w.]+)`/g)].map(([, each]) => each!.split('.').at(-1)!); // matches have it
    expect(named(ofStatus).toSorted()).toEqual(Object.keys(status).toSorted());
    expect(named(others)).toEqual(['jwt', 'translation']);
    for (const name of [...named(others), ...named(ofStatus)])
      expect(JSON.stringify(document), name).toContain(`"${name}":{"`);
  });

  it('has for each body and answer a value that its own schema accepts (behaviour 10.26.2)', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'document');
    const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const description = document as unknown as Description; // what the page reads of it
    const wrong = operationsIn(description).flatMap((operation) => {
      const { id, method, address, isWebhook, body, answers } = operation;
      const at = `#/${isWebhook ? 'webhooks' : 'paths'}/${escaped(address)}/${method.toLowerCase()}`;
      const contents = [
        ...(body ? [{ ...body, place: `${at}/requestBody` }] : []),
        ...answers.map((answer) => ({ ...answer, place: `${at}/responses/${answer.status}` })),
      ];
      return contents
        .filter(({ type }) => type !== '')
        .map(({ type, place, example }) => {
          const accepts = ajv.compile({ $ref: `document${place}/content/${escaped(type)}/schema` });
          return accepts(example) ? '' : `${id} ${place}: ${JSON.stringify(accepts.errors)}`;
        });
    });
    expect(wrong.length).toBeGreaterThan(40);
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});
