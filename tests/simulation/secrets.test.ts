import { describe, expect, it } from 'vitest';
import type { Exchange } from './line.ts';
import { sharedBetweenWorkspaces } from './secrets.ts';

const batch = '7e78fc43-e021-44c4-aa43-08e1c6faf066';
const exchange = (workspace: string, more: Partial<Exchange>): Exchange =>
  ({
    who: workspace,
    workspace,
    method: 'GET',
    path: '/api/timeline',
    body: '',
    text: '',
    ...more,
  }) as Exchange; // what is compared

describe('an id that users of two workspaces read', () => {
  const both = [exchange('Ben', { text: `{"batchId":"${batch}"}` }), exchange('Ann', { text: `batch ${batch}` })];

  it('is a leak', () => {
    expect(sharedBetweenWorkspaces(both, new Set())).toEqual([
      `The id ${batch} is read by Ben (GET /api/timeline) and by Ann (GET /api/timeline).`,
    ]);
  });

  it('is none where the service itself has told the wrong one, where the reader has sent it, or within one workspace', () => {
    expect(sharedBetweenWorkspaces(both, new Set([batch]))).toEqual([]);
    const asked = exchange('Ann', { path: `/api/batch/${batch}`, text: batch });
    expect(sharedBetweenWorkspaces([both[0]!, asked], new Set())).toEqual([]);
    expect(sharedBetweenWorkspaces([both[0]!, { ...both[1]!, workspace: 'Ben' }], new Set())).toEqual([]);
    // As the pattern of any id in /openapi.json has it.
    const nil = batch.replace(/[0-9a-f]/g, '0');
    expect(
      sharedBetweenWorkspaces(
        ['Ben', 'Ann'].map((who) => exchange(who, { text: nil })),
        new Set(),
      ),
    ).toEqual([]);
  });
});
