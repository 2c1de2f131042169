import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createPrometheus } from '#server/ops/prometheus.ts';
import { readOpenMetrics } from '#tests/support/openMetrics.ts';

const read = (name: string): unknown => parse(readFileSync(name, 'utf8'));
const names = /\b(?:console|process|nodejs)_[a-z_]+/g;

const given = [...readOpenMetrics(await createPrometheus().openMetrics())].map(([name, { type }]) =>
  type === 'counter' ? `${name}_total` : name,
);

describe('The examples for Prometheus', () => {
  it('name metrics that the console has', () => {
    const { groups } = read('deploy/alerts.yml') as { groups: { rules: { alert: string; expr: string }[] }[] };
    const rules = groups.flatMap(({ rules }) => rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr } of rules)
      expect(
        [...expr.matchAll(names)].map(([name]) => name).filter((name) => !given.includes(name)),
        alert,
      ).toEqual([]);
  });

  it('scrape the metrics ports of the consoles in compose.yaml', () => {
    const compose = read('deploy/compose.yaml') as Record<string, { environment: Record<string, unknown> }> & {
      services: Record<string, unknown>;
    };
    const { scrape_configs: jobs } = read('deploy/prometheus.yml') as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const port = String(compose['x-console']!.environment['METRICS_PORT']);
    const consoles = Object.keys(compose.services).filter((name) => name.startsWith('console-'));
    const targets = jobs.flatMap((job) => job.static_configs.flatMap((each) => each.targets));
    expect(targets).toEqual(consoles.map((name) => `${name}:${port}`));
  });

  it('stand beside a table of all metrics in docs/monitoring.md', () => {
    const text = readFileSync('docs/monitoring.md', 'utf8');
    expect(given.filter((name) => name.startsWith('console_') && !text.includes(`\`${name}\``))).toEqual([]);
  });
});
