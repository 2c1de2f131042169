import { describe, expect, it } from 'vitest';
import { calls, type CallName } from '#contract/calls.ts';
import { subjectHeader } from '#contract/constants.ts';
import { collectionPaths } from '#contract/exports.ts';
import type { Problem } from '#contract/problem.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';

async function ask(url: string, name: CallName, query: string) {
  const { method, path } = calls[name];
  const asked = `${url}${path.replace(/\{\w+\}/g, 'x')}?${query}`;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(asked, { method, headers, ...(method !== 'GET' && { body: '{}' }) });
  return { status: answer.status, problem: JSON.parse(await answer.text()) as Problem };
}

/** What a user may take for a parameter: an id, a name in other letters, a name of every object, a misspelt one, a mark against caches. */
const unknown = [
  'id=1',
  'Limit=1',
  '__proto__=1',
  'constructor=1',
  'subscriptonId=1',
  '_=1764370000',
  'id[]=1',
  '=1',
  'id',
];

describe('a query with a parameter that a call does not have', () => {
  it('is refused by each call and named (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    for (const [place, name] of (Object.keys(calls) as CallName[]).entries())
      // Each of them at one call, and one after the other at the rest.
      for (const query of place === 0 ? unknown : [unknown[place % unknown.length]!]) {
        const { status, problem } = await ask(url, name, query);
        const [parameter] = query.split('=');
        expect([status, problem.errors?.map(({ path }) => path)], `${name}?${query}`).toEqual([400, [parameter]]);
      }
  });

  it('is told which ones the call has (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    const { problem } = await ask(url, 'getTimeline', 'id=1');
    expect(problem.detail).toMatch(
      /^The query is not valid\. id: is none of its parameters: journey, entry, interaction,/,
    );
    expect((await ask(url, 'getFacts', 'id=1')).problem.detail).toBe(
      'The query is not valid. id: it has no parameters',
    );
  });

  it('is refused by each export (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    for (const path of [...Object.values(collectionPaths), '/api/timeline.har', '/api/timeline.zip']) {
      const answer = await fetch(`${url}${path}?id=1`);
      expect(answer.status, path).toBe(400);
      expect(((await answer.json()) as Problem).errors).toMatchObject([{ path: 'id' }]);
    }
  });

  it('is not one that names the user of the page (behaviour 7.33)', async () => {
    const { url } = await consoleWithSandbox();
    const answer = await fetch(`${url}/api/facts?${subjectHeader}=`);
    expect(answer.status).toBe(200);
  });
});
