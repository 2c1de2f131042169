import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

type Values = Record<string, string>;

/** The parts of a request in a .http file: scripts before and after, first line, headers, body. */
function partsOf(section: string) {
  const [, before = '', request = '', after = ''] =
    /^.*\n< \{%\n([\s\S]*?)\n%\}\n([\s\S]*?)(?:\n> \{%\n([\s\S]*?)\n%\}\n?)?$/.exec(section.trimEnd()) ?? [];
  const [head = '', ...body] = request.trim().split('\n\n');
  const [first = '', ...headers] = head.split('\n');
  const [, method = '', url = ''] = /^(\S+) (.+)$/.exec(first) ?? [];
  const named = headers.map((line): [string, string] => [
    line.slice(0, line.indexOf(': ')),
    line.slice(line.indexOf(': ') + 2),
  ]);
  return { before, after, method, url, headers: named, body: body.join('\n\n') };
}

/** Runs a .http file with what its scripts use of the IDE's interface; `environment` has the secrets. */
export async function runHttpFile(text: string, environment: Values, pause: number): Promise<void> {
  const [head = '', ...sections] = text.split(/^###/m);
  const inFile = Object.fromEntries(
    [...head.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]),
  ) as Values; // both groups match
  const globals: Values = {};
  for (const section of sections) {
    const { before, after, method, url, headers, body } = partsOf(section);
    const own: Values = {};
    const filled = (source: string) =>
      source.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const value = own[name] ?? globals[name] ?? environment[name] ?? inFile[name];
        if (value === undefined) throw new Error(`${name} has no value in ${source}`);
        return value;
      });
    const client = {
      global: {
        get: (name: string) => globals[name],
        set: (name: string, value: string) => void (globals[name] = value),
      },
    };
    const request = {
      method,
      url: { getRaw: () => url, tryGetSubstituted: () => filled(url) },
      body: { getRaw: () => body, tryGetSubstituted: () => filled(body) },
      variables: { get: (name: string) => own[name], set: (name: string, value: string) => void (own[name] = value) },
      environment: { get: (name: string) => environment[name] },
    };
    const withText = (key: string, signed = '') => ({
      updateWithText: (more: string) => withText(key, signed + more),
      digest: () => ({ toBase64: () => createHmac('sha1', key).update(signed).digest('base64') }),
    });
    const crypto = { hmac: { sha1: () => ({ withTextSecret: (key: string) => withText(key) }) } };
    const random = Object.defineProperty({}, 'uuid', { get: () => randomUUID() });
    runInNewContext(before, { client, request, crypto, $random: random });
    const sent = filled(body);
    const response = await fetch(filled(url), {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, filled(value)]),
      ...(sent !== '' && { body: sent }),
    });
    const received = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${received}`);
    if (after !== '') runInNewContext(after, { client, response: { body: JSON.parse(received) as unknown } });
    await wait(pause);
  }
}
