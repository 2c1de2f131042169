import { expect, it, vi } from 'vitest';
import { call } from '#app/client/client.ts';
import { calls, type CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';

const refusal: Problem = {
  type: 'about:blank',
  title: 'It is refused',
  status: 422,
  detail: 'Not so',
  code: 'upstream-refused',
};
let response: object | undefined;

vi.mock('#app/client/http.ts', () => ({
  request: () => Promise.reject(Object.assign(new Error('Network Error'), { response })),
  urlOf: (path: string) => path,
  hasFailed: () => true,
}));

const names = Object.keys(calls) as CallName[]; // of the declaration

it.each(names)(
  'a failed %s names its call in the problem, whether the server refuses it or its response is lost',
  async (name) => {
    const failed = () => call(name, { params: {}, body: {}, key: 'key-1' } as never).catch((error: unknown) => error);
    response = { status: 422, data: refusal };
    expect(await failed()).toEqual({ ...refusal, call: name });
    response = undefined;
    const outcome = calls[name].method === 'GET' ? undefined : 'unknown';
    expect(await failed()).toMatchObject({ code: 'console-unreachable', call: name, ...(outcome && { outcome }) });
  },
);
