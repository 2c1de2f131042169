import { describe, expect, it } from 'vitest';
import { signingOutMachine } from '#machines/signingOut.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const press = { type: 'signOut.press' } as const;

describe('signing out', () => {
  it('is sent once by any number of presses, also by those after the session has ended (behaviour 10.6.2)', async () => {
    const { sends, at, answer, calls, can } = run(signingOutMachine);
    await sends(press);
    await sends(press);
    expect([at(), calls.length]).toEqual(['signingOut', 1]);
    await answer('signOut');
    expect([at(), can(press)]).toEqual(['left', false]);
  });

  it('that failed shows why, and can be tried again, which hides the failure', async () => {
    const { sends, at, answer, refuse, calls, context } = run(signingOutMachine);
    await sends(press);
    await refuse('signOut', failure);
    expect([at(), context()['failure']]).toEqual(['refused', failure]);
    await sends(press);
    expect([at(), context()['failure'], calls.length]).toEqual(['signingOut', null, 2]);
    await answer('signOut');
    expect(at()).toBe('left');
  });
});

describeWatched(signingOutMachine);
