import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

interface Workflow {
  on: object;
  jobs: Record<string, { steps: { run?: string; shell?: string; if?: string; env?: Record<string, string> }[] }>;
}

it('the scheduled workflow runs seeds that no earlier run had, and reports a failure with its seed and commit', () => {
  const { on, jobs } = parse(readFileSync('examples/github-actions/simulate.yml', 'utf8')) as Workflow;
  expect(on).toHaveProperty('schedule');
  const { steps } = jobs['simulate']!;
  const runs = steps.find(({ run }) => run?.includes('npm run simulate -- --from'))!;
  expect([runs.env?.['RUN'], runs.shell]).toEqual(['${{ github.run_number }}', 'bash']); // which fails if a part of a pipe does
  expect(Number(/RUN\}(0+)"/.exec(runs.run!)![1]!.length)).toBe(/--seeds 1(0+) /.exec(runs.run!)![1]!.length);
  const report = steps.find(({ run }) => run?.includes('gh issue create'))!;
  expect(report.if).toBe('failure()');
  const main = readFileSync('tests/simulation/main.ts', 'utf8');
  for (const sentence of ['World ', ' is wrong', 'Never happened']) {
    expect(report.run).toContain(sentence);
    expect(main).toContain(sentence);
  }
  expect(report.run).toContain('$GITHUB_SHA');
});
