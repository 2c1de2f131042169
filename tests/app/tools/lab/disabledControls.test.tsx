// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeptRule } from '#contract/controlShapes.ts';
import { LabPage } from '#app/tools/lab/LabPage.tsx';
import { ProgramsPage } from '#app/tools/lab/ProgramsPage.tsx';
import { Shell } from '#app/frame/Shell.tsx';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { server, type Request } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { openLab } from '#tests/support/openLab.ts';
import { renderPage } from '#tests/support/page.tsx';
import { unexplained } from '#tests/support/unexplained.ts';

const rule: KeptRule = {
  ruleId: 'rule-a',
  on: 'call',
  of: 'createBatch',
  fault: { kind: 'answerLost' },
  times: 1,
  probability: 1,
  seed: 1,
  asked: 0,
  happened: 0,
};

const token = {
  tokenId: 'a',
  name: 'Nightly',
  beginning: 'pocp_abcd',
  madeAt: '2026-01-31T09:00:00.000Z',
  usedAt: '',
  expiresAt: '2026-03-02T09:00:00.000Z',
  expired: false,
};

beforeEach(() => {
  server.made.length = 0;
  const lab = openLab();
  lab.rules = [rule, { ...rule, ruleId: 'rule-b', of: 'providers' }];
  lab.receiver = { url: 'https://receiver.test' };
  server.answers = {
    ...server.answers,
    getProgramChecks: () => ({ data: [] }),
    getProgramVerdict: () => ({
      data: { connection: null, running: null, stopped: '', blocked: '', report: null },
    }),
    getPrograms: () => ({ data: { recorded: true, tokens: [token] } }),
    makeProgramToken: () => ({ data: { token: 'pocp_secret', made: { ...token, tokenId: 'b', name: 'Other' } } }),
  };
});

/** Makes every call wait from then on; returns a function that answers those that wait. */
function hold(): () => Promise<void> {
  let held: (() => void)[] = [];
  server.answers = Object.fromEntries(
    Object.entries(server.answers).map(([name, answer]) => [
      name,
      (request: Request) => new Promise((resolve) => held.push(() => resolve(answer(request)))),
    ]),
  );
  return () =>
    act(async () => {
      const waiting = held;
      held = [];
      for (const each of waiting) each();
      await wait(0);
    });
}

const cases: readonly (readonly [address: string, button: RegExp])[] = [
  ['/sandbox#faults', /^Add fault/],
  ['/sandbox#faults', /^Remove: When create batch/],
  ['/sandbox#faults', /^Remove all/],
  ['/sandbox#faults', /^Stop all/],
  ['/sandbox#clock', /^\+1 hour/],
  ['/sandbox#clock', /^Stop the clock/],
  ['/sandbox#clock', /^Advance batch/],
  ['/sandbox#clock', /^Refresh the batches/],
  ['/sandbox#webhooks', /^Send again/],
  ['/sandbox#webhooks', /^Explain/],
  ['/sandbox#webhooks', /^Refresh the webhooks/],
  ['/sandbox#webhooks', /^Remove the receiver/],
  ['/programs', /^Create token/],
];

describe('a disabled control', () => {
  it.each(cases)(
    'at %s says why while the press of %s is sent, read and rests (behaviour 10.4.1)',
    async (address, button) => {
      const page = address === '/programs' ? <ProgramsPage /> : <LabPage />;
      renderPage(<Shell>{page}</Shell>, { load: () => Promise.resolve(everything), at: address });
      const control = await screen.findByRole('button', { name: button });
      const name = screen.queryByRole('textbox', { name: 'Name of the program' });
      if (name) await userEvent.type(name, 'Other');
      await waitFor(() => expect(control.getAttribute('aria-disabled')).toBe('false'));
      expect(unexplained()).toEqual([]);
      const release = hold();
      await userEvent.click(control);
      // The call, the reading after it, and the pause after that.
      for (let answered = 0; answered < 3; answered += 1) {
        expect(unexplained()).toEqual([]);
        await release();
      }
      await act(() => wait(doubleClick + 100));
      expect(unexplained()).toEqual([]);
    },
  );
});
