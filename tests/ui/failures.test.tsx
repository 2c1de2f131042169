// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problemSchema, type Problem } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { adviceOf, failures, wayOf } from '#ui/failures.ts';
import { outcomeText } from '#ui/outcomeWords.ts';
import { renderPage } from '#tests/support/page.tsx';

const codes = problemSchema.shape.code.options;
const problem = (changes: Partial<Problem> = {}): Problem => ({
  type: 'about:blank',
  title: 'It failed',
  status: 502,
  detail: 'It was the answer.',
  code: 'internal',
  ...changes,
});

describe('the panel of a failure', () => {
  it.each(codes)('%s: shows one message with what happened, its cause and the next step (threat 3.1)', (code) => {
    renderPage(<FailurePanel problem={problem({ code })} />);
    const [message, ...more] = screen.getAllByRole('alert');
    expect(more).toEqual([]);
    for (const sentence of ['It failed', failures[code].cause, adviceOf(problem({ code }))])
      expect(within(message!).getByText(sentence)).toBeDefined();
    // What a program is to send means nothing to a page's user.
    const told = within(message!).queryByText('It was the answer.');
    expect(told === null).toBe(['paid-already', 'message-pending'].includes(code));
  });

  it.each(codes)('%s: does not mention a reset sandbox, because the service may be live', (code) => {
    expect(`${failures[code].cause} ${adviceOf(problem({ code }))}`).not.toMatch(/reset|forgets/i);
  });

  it.each(codes)('%s: shows the next step below the details', (code) => {
    const answered = { errors: [{ path: 'a', message: 'b' }], upstream: { status: 422, body: 'the answer' } };
    renderPage(<FailurePanel problem={problem({ code, ...answered })} />);
    const text = screen.getByRole('alert').textContent ?? '';
    const advice = adviceOf(problem({ code, ...answered }));
    // The errors are the cause of an invalid request.
    const cause = code === 'invalid-request' ? 'a: b' : failures[code].cause;
    const at = [cause, 'the answer', advice].map((part) => text.lastIndexOf(part));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at).not.toContain(-1);
    expect(advice).not.toContain('below');
  });

  it.each([
    ['not-sent', /^The request was not sent\. Nothing was changed or paid\./, false],
    ['refused', /^The service refused the request\./, false],
    ['unknown', /^The outcome is unknown/, true],
  ] as const)('with the outcome %s states it, and what a retry does if that matters', (outcome, words, tells) => {
    renderPage(<FailurePanel problem={problem({ outcome })} retry="same" onRetry={() => undefined} />);
    expect(screen.getByText(words)).toBeDefined();
    expect(screen.queryByText(/takes effect once/) !== null).toBe(tells);
  });

  it.each([
    ['not-sent', 'This request was not sent. The earlier one may have taken effect.'],
    ['refused', 'The service refused this request. The earlier one may have taken effect.'],
  ] as const)('of a resend that was %s distinguishes it from the earlier request (behaviour 4.27)', (repeat, words) => {
    const failed = problem({ outcome: 'unknown', repeat });
    renderPage(<FailurePanel problem={failed} retry="same" onRetry={() => undefined} />);
    expect(screen.getByText(words)).toBeDefined();
    expect(screen.queryByText(/Nothing was changed/)).toBeNull();
    expect(screen.getByText(/takes effect once/)).toBeDefined();
  });

  it.each([
    [
      'done',
      'This request was not sent. The earlier one under its key was paid in batch b.',
      /“Try again” gets its answer/,
    ],
    ['unknown', 'This request was not sent. The outcome of the earlier one is unknown.', /takes effect once/],
  ] as const)(
    'of a repeat that failed early names an earlier request that is %s (behaviour 4.52)',
    (state, detail, next) => {
      const failed = problem({ code: 'rate-limited', outcome: state, repeat: 'not-sent', earlier: { state, detail } });
      renderPage(<FailurePanel problem={failed} retry="same" onRetry={() => undefined} />);
      expect(screen.getByText(detail)).toBeDefined();
      expect(screen.getByText(next)).toBeDefined();
      expect(screen.queryByText(/Nothing was changed/)).toBeNull();
    },
  );

  it.each([
    ['reads', 'unknown', /“Try again” reads the current state/],
    ['reads', 'refused', /“Try again” reads the current state/],
    ['confirms', 'unknown', /“Try again” asks before it sends anything/],
    ['new', 'unknown', /“Try again” sends a new request/],
    ['new', 'refused', null],
  ] as const)('for a retry that %s, after the outcome %s, states its effect', (retry, outcome, words) => {
    renderPage(<FailurePanel problem={problem({ outcome })} retry={retry} onRetry={() => undefined} />);
    expect(screen.queryByText(/takes effect once/)).toBeNull();
    expect(/“Try again” \w+/.exec(screen.getByRole('alert').textContent ?? '')?.[0] ?? null).toBe(
      words && (/“Try again” \w+/.exec(screen.getByText(words).textContent ?? '')?.[0] ?? ''),
    );
  });

  it('for a lost response states “Outcome unknown” and a resend with the same key', () => {
    const lost = problem({
      outcome: 'unknown',
      code: 'upstream-unreachable',
      title: 'The payments service cannot be reached',
      detail: 'The connection closed before a response from http://service.test.',
    });
    renderPage(<FailurePanel problem={lost} retry="same" onRetry={() => undefined} />);
    expect(screen.getByRole('heading').textContent).toBe('Outcome unknown');
    expect(screen.getByText(/^The request was sent\. The connection closed before a response/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Resend with the same key' })).toBeDefined();
    expect(screen.queryByText(adviceOf(problem({ code: 'upstream-unreachable' })), { exact: false })).toBeNull();
  });

  describe('of a write that could not reach the console', () => {
    let works = false;
    beforeEach(() => {
      works = false;
      vi.useFakeTimers({ shouldAdvanceTime: true });
      vi.stubGlobal('fetch', () => (works ? Promise.resolve({ json: () => Promise.resolve({ store: true }) }) : Promise.reject(new Error('refused')))); // prettier-ignore
    });
    afterEach(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    const later = () => act(() => vi.advanceTimersByTimeAsync(2500));

    it.each([
      [
        'not-sent',
        'same',
        'The request was not sent. Nothing was changed or paid.',
        'The console’s server responds again',
      ],
      ['unknown', 'same', 'The outcome is unknown: the request may have taken effect.', 'Outcome unknown'],
      [
        'unknown',
        'new',
        'The outcome is unknown: the request may have taken effect.',
        'The console’s server responds again',
      ],
    ] as const)(
      'says by itself that the server responds again, and sends nothing: %s, %s (behaviour 4.57)',
      async (outcome, retry, words, title) => {
        const onRetry = vi.fn();
        const failed = problem({
          outcome,
          code: 'console-unreachable',
          title: 'The console’s server could not be reached',
        });
        renderPage(<FailurePanel problem={failed} retry={retry} onRetry={onRetry} />);
        await later();
        expect(screen.queryByText(/responds again/)).toBeNull();
        works = true;
        await later();
        expect(screen.getByRole('heading').textContent).toBe(title);
        expect(screen.getByText(/responds again/)).toBeDefined();
        expect(screen.getByText(words)).toBeDefined();
        expect(screen.queryByText(adviceOf(problem({ code: 'console-unreachable' })), { exact: false })).toBeNull();
        expect(onRetry).not.toHaveBeenCalled();
      },
    );

    it('says by itself that the service responds again after a write could not reach it (behaviour 10.2.4)', async () => {
      const onRetry = vi.fn();
      vi.stubGlobal('fetch', () => Promise.resolve({ json: () => Promise.resolve({ store: true, upstream: works }) }));
      const failed = problem({ outcome: 'not-sent', code: 'upstream-unreachable' });
      renderPage(<FailurePanel problem={failed} retry="same" onRetry={onRetry} />);
      await later();
      expect(screen.getByRole('heading').textContent).toBe('It failed');
      works = true;
      await later();
      expect(screen.getByRole('heading').textContent).toBe('The payments service responds again');
      expect(screen.getByText('The request was not sent. Nothing was changed or paid.')).toBeDefined();
      expect(onRetry).not.toHaveBeenCalled();
    });

    it('looks at once when the browser is online again', async () => {
      renderPage(<FailurePanel problem={problem({ outcome: 'not-sent', code: 'console-unreachable' })} />);
      works = true;
      await act(async () => {
        window.dispatchEvent(new Event('online'));
        await vi.advanceTimersByTimeAsync(50);
      });
      expect(screen.getByRole('heading').textContent).toBe('The console’s server responds again');
    });
  });

  it('of a failed read says that nothing was changed; of an unknown call nothing (behaviour 10.2.3)', () => {
    const { unmount } = renderPage(<FailurePanel problem={problem({ call: 'getFacts' })} />);
    expect(screen.getByText('Nothing was changed or paid.')).toBeDefined();
    unmount();
    renderPage(<FailurePanel problem={problem()} />);
    expect(screen.queryByText(/Nothing was changed/)).toBeNull();
  });

  it.each(codes)('%s: offers at most one button, which can help (behaviour 10.2.3; behaviour 10.2.5)', (code) => {
    // As the machine decides.
    const again = repetitionHelps({ code }) ? { retry: 'reads' as const, onRetry: () => undefined } : {};
    renderPage(<FailurePanel problem={problem({ code })} {...again} />);
    const links = screen.queryAllByRole('link').map(({ textContent }) => textContent);
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(buttons.shift()).toContain('Copy details');
    const way = code === 'signed-out' ? 'Sign in' : wayOf(problem({ code }))?.label;
    expect([...links, ...buttons]).toEqual(way ? [way] : repetitionHelps({ code }) ? ['Try again'] : []);
    if (!buttons.includes('Try again') && code !== 'signed-out')
      expect(screen.getByRole('alert').textContent).not.toMatch(/try again/i);
  });

  it('of a failed read does not describe the retry', () => {
    renderPage(<FailurePanel problem={problem()} retry="reads" onRetry={() => undefined} />);
    expect(screen.queryByText(/“Try again” \w+s /)).toBeNull();
  });

  it('has a distinct cause and next step for each kind of failure', () => {
    const sentences = codes.flatMap((code) => [failures[code].cause, adviceOf(problem({ code }))]);
    expect(new Set(sentences).size).toBe(2 * codes.length);
  });

  it.each(codes)('%s: repeats no clause if the request was not sent', (code) => {
    const { title } = new Failure(code, '').problem;
    const words = [
      title,
      outcomeText(problem({ outcome: 'not-sent' })),
      failures[code].cause,
      adviceOf(problem({ code })),
    ].join('. ');
    const clauses = words
      .toLowerCase()
      .split(/[.,:;]\s*/)
      .filter(Boolean);
    expect(clauses.filter((clause, at) => clauses.indexOf(clause) !== at)).toEqual([]);
  });

  it.each(codes)('%s: of a read names no values, entries or response that the page does not show', (code) => {
    for (const call of ['getBatch', 'getProviders', 'getFacts'] as const) {
      const advice = adviceOf(problem({ code, call, detail: '' }));
      expect(advice).not.toMatch(/named above|response above|sentence above|entries|send them again|interaction id/);
    }
    const errors = [{ path: 'name', message: 'is missing' }];
    expect(adviceOf(problem({ code, call: 'createCompany', detail: '' }))).not.toMatch(/above/);
    const shown = adviceOf(problem({ code, call: 'createCompany', errors }));
    expect(shown.includes('named above')).toBe(code === 'invalid-request');
  });

  it('names the path of each error, and none for an error of the whole response', () => {
    const errors = [
      { path: 'data.status', message: 'is missing' },
      { path: '', message: 'is a list' },
    ];
    renderPage(<FailurePanel problem={problem({ code: 'upstream-invalid', errors })} />);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'data.status: is missing',
      'is a list',
    ]);
  });

  it('for a refusal of the console points to its reason', () => {
    renderPage(<FailurePanel problem={problem({ code: 'forbidden', detail: 'The service still knows it.' })} />);
    expect(screen.getByText(/^The sentence above says why\./)).toBeDefined();
  });

  it('states how long the service asks to wait', () => {
    renderPage(<FailurePanel problem={problem({ code: 'upstream-busy', retryAfter: 7 })} />);
    expect(screen.getByRole('alert').textContent).toContain('Wait at least 7 s.');
  });

  it('shows markup from the service as text (threat 3.24)', () => {
    const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
    const { container } = renderPage(
      <FailurePanel
        problem={problem({
          title: markup,
          detail: markup,
          errors: [{ path: markup, message: markup }],
          upstream: { status: 500, body: markup },
          interactionId: markup,
        })}
      />,
    );
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent?.split(markup)).toHaveLength(7);
  });
});

describe('the panel of a failed read', () => {
  it.each<[Partial<Problem>, string]>([
    [{ code: 'store-failed', status: 503 }, 'the console works again'],
    [{ code: 'console-unreachable' }, 'the console works again'],
    [{ code: 'upstream-unreachable' }, 'the service responds'],
    [{ code: 'upstream-timeout' }, 'the service responds'],
    [{ code: 'upstream-failed' }, 'the service responds'],
    [{ code: 'upstream-busy' }, 'the service responds'],
    [{ code: 'key-rejected' }, 'the service accepts the credentials'],
    [{ code: 'signing-key-rejected' }, 'the service accepts the credentials'],
  ])('says when it is repeated: %j (behaviour 10.2.4)', (changes, words) => {
    renderPage(<FailurePanel problem={problem(changes)} retry="reads" onRetry={() => undefined} />);
    expect(screen.getByText(new RegExp(`continues automatically once ${words}\\.`))).toBeDefined();
  });

  it('offers to sign in where that is the cause', () => {
    renderPage(<FailurePanel problem={problem({ code: 'signed-out' })} retry="reads" onRetry={() => undefined} />);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeDefined();
  });

  it('announces no repetition of a write', () => {
    const failed = problem({ code: 'store-failed', status: 503, outcome: 'not-sent' });
    renderPage(<FailurePanel problem={failed} retry="reads" onRetry={() => undefined} />);
    expect(screen.queryByText(/continues automatically/)).toBeNull();
  });
});

describe('the panels of several failures on a page (behaviour 10.2.7)', () => {
  const down = (changes: Partial<Problem> = {}) => problem({ code: 'console-unreachable', ...changes });
  const retryIn = (name: string) => within(screen.getByRole('region', { name })).getByText('Try again');
  const titles = () => screen.getAllByRole('alert').map((alert) => within(alert).getByRole('heading').textContent);
  interface Part {
    of: string;
    failure: Problem | null;
    onRetry?: () => void;
    retry?: 'reads' | 'same';
  }
  /** A button makes the first part fail, or succeed again. */
  function Page({ parts, toggled }: { parts: readonly Part[]; toggled?: Problem }) {
    const [added, setAdded] = useState(false);
    const shown = added ? toggled : undefined;
    return (
      <>
        <button onClick={() => setAdded(!added)}>Change</button>
        {parts.map(({ of, failure, onRetry = () => undefined, retry = 'reads' }, index) => {
          const problemOf = index === 0 && shown ? shown : failure;
          return (
            <section key={of} aria-label={of}>
              {problemOf && <FailurePanel problem={problemOf} onRetry={onRetry} retry={retry} />}
            </section>
          );
        })}
      </>
    );
  }
  const change = () => act(() => screen.getByText('Change').click());

  it('two reads of one cause have one panel, in the first place, whose button repeats both', () => {
    const [first, second] = [vi.fn(), vi.fn()];
    const parts = [
      { of: 'list', failure: null, onRetry: first },
      { of: 'checks', failure: down(), onRetry: second },
    ];
    renderPage(<Page parts={parts} toggled={down()} />);
    expect(retryIn('checks')).toBeDefined();
    change();
    expect(titles()).toHaveLength(1);
    act(() => retryIn('list').click());
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('the second read of one cause has its panel again once the first one has succeeded', () => {
    const parts = [
      { of: 'list', failure: null },
      { of: 'checks', failure: down() },
    ];
    renderPage(<Page parts={parts} toggled={down()} />);
    change();
    expect(within(screen.getByRole('region', { name: 'checks' })).queryByRole('alert')).toBeNull();
    change();
    expect(within(screen.getByRole('region', { name: 'checks' })).getByRole('alert')).toBeDefined();
  });

  it.each<[string, Part]>([
    ['a write of the same cause', { of: 'form', failure: down({ outcome: 'not-sent' }), retry: 'same' }],
    ['a read of another cause', { of: 'form', failure: down({ title: 'The service is slow' }) }],
    ['a read whose record is missing', { of: 'form', failure: problem({ code: 'not-found' }) }],
  ])('a read and %s have a panel each', (_, part) => {
    renderPage(<Page parts={[{ of: 'list', failure: down() }, part]} />);
    expect(titles()).toHaveLength(2);
  });
});
