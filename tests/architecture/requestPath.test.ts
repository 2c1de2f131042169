import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The files of the server in whose text a pattern occurs; those of the sandbox and of `verify` are other programs, and metrics have a server of their own. */
const filesWith = (pattern: RegExp): string[] =>
  readdirSync('server', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/^(sandbox\/|verify\/|ops\/metricsServer)/.test(file))
    .filter((file) => pattern.test(readFileSync(`server/${file}`, 'utf8')));

describe('The path of a request to the console', () => {
  it('has one context, in the one AsyncLocalStorage of the process, and nothing in the state of Koa', () => {
    expect(filesWith(/new AsyncLocalStorage/)).toEqual(['asyncContext.ts']);
    expect(filesWith(/\bctx\.state\b|\{ state \}: Context/)).toEqual([]);
    expect(filesWith(/new WeakMap<Context/)).toEqual([]);
  });

  it('is built in one place: nothing else adds middleware, and routes are lists that one function reads', () => {
    expect(filesWith(/\b(app|koa|router|routes)\.use\(/)).toEqual(['app.ts']);
    expect(filesWith(/\brouter\.(get|post|put|patch|delete|all|register)\(/)).toEqual(['http/routes.ts']);
  });
});
