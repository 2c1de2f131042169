import { mendsOf } from '#server/programs/mends.ts';
import { maskSecrets } from '#contract/secretShapes.ts';
import { junitXml, type JunitCase } from '#rules/junit.ts';
import { markdownText, printableJson } from '#rules/printable.ts';
import { html, type Html } from '#server/http/html.ts';
import { scenariosFor } from './scenarios/index.ts';
import { unmetIn } from './unmet.ts';
import {
  countsOf,
  hasFailed,
  isFatal,
  seconds,
  standstillOf,
  warningsOf,
  type Outcome,
  type SeenIn,
  type Verification,
} from './verification.ts';

/** A finding in one line: scenario, what was seen, and the first calls that show it. */
export const sentenceOf = ({ scenario, says, shown }: SeenIn): string =>
  `${scenario}: ${says}${shown.length > 0 ? ` (call ${shown.join(', ')})` : ''}`;

/** Says what shows that a check failed, or that it was not exercised and has to be. */
function shownIn({ check, verdict, seen, unjudged }: Outcome): string[] {
  if (verdict === 'failed') return seen.map(sentenceOf);
  if (unjudged !== undefined) return [`Required, but not exercised. ${unjudged}`];
  const ids = scenariosFor(check.id);
  return [`Required, but not exercised${ids.length > 0 ? ` in ${ids.join(', ')}` : ''}`];
}

function caseOf(outcome: Outcome): JunitCase {
  const { check, verdict, isAllowed, unjudged } = outcome;
  const name = `${check.id}: ${check.title}`;
  if (isFatal(outcome)) {
    const [message = check.title, ...more] = shownIn(outcome);
    return {
      name,
      ms: 0,
      failure: { message, text: [message, ...more, check.why, ...mendsOf(check.mend, outcome.seen)].join('\n') },
    };
  }
  if (verdict === 'failed') return { name, ms: 0, skipped: `Failed, as is allowed: ${isAllowed}` };
  if (verdict === 'not exercised') return { name, ms: 0, skipped: unjudged ?? 'The situation did not arise' };
  return { name, ms: 0 };
}

/** The report in JUnit's format: a suite for each group of checks, a test case for each check. */
export function junitReport({ outcomes, ms, startedAt }: Verification): string {
  const groups = [...new Set(outcomes.map(({ check }) => check.group))];
  const suites = groups.map((group) => ({
    name: group,
    ms: 0,
    cases: outcomes.filter(({ check }) => check.group === group).map(caseOf),
  }));
  return junitXml('payments-out-verify', suites, { ms, startedAt });
}

/** The report as JSON: the checks with their verdicts, and the scenarios with their runs. Contains no bodies and keys. */
export function jsonReport(verification: Verification): string {
  const { scenarios, outcomes, ms, options: _, ...rest } = verification;
  const report = {
    kind: 'payments-out-verify-report',
    version: 1,
    ...rest,
    ms: Math.round(ms),
    ok: !hasFailed(verification),
    warnings: warningsOf(scenarios),
    checks: outcomes.map(({ check, verdict, seen, exercisedBy, unjudged, isRequired, isAllowed }) => ({
      id: check.id,
      group: check.group,
      title: check.title,
      verdict,
      exercisedBy,
      ...(isRequired && { required: true }),
      ...(isAllowed !== undefined && { allowedToFail: isAllowed }),
      ...(unjudged !== undefined && { reason: unjudged }),
      ...(verdict === 'failed' && {
        why: check.why,
        mend: mendsOf(check.mend, seen).join(' '),
        seen: seen.map(({ shown: _shown, ...each }) => each),
      }),
    })),
    scenarios: scenarios.map(({ scenario, evidence: { runs, calls }, ms: took, stoodStill, before }) => ({
      id: scenario.id,
      title: scenario.title,
      notArisen: unmetIn(scenario, { runs, calls }).unmet,
      ms: Math.round(took),
      ...(stoodStill && { stoodStill: Math.round(stoodStill) }),
      ...(before !== undefined && { stoodStillBefore: Math.round(before) }),
      runs: runs.map(({ startedAt, endedAt, exitStatus, ended, result }) => ({
        ended,
        exitStatus,
        ms: endedAt - startedAt,
        ...(result !== undefined && { result }),
      })),
      calls: calls.map(({ number, method, path, status, ms: lasted, fault }) => ({
        number,
        method,
        path,
        status,
        ms: lasted,
        ...(fault !== undefined && { fault }),
      })),
    })),
  };
  return printableJson(`${JSON.stringify(report, null, 2)}\n`);
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
h2{margin-top:2rem}section{border-left:4px solid #c62828;padding:0 1rem;margin:1rem 0}code{font-size:.9em}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top}`;

const failed = (outcome: Outcome): Html => {
  const { check } = outcome;
  return html`<section>
    <h3>${check.title} <code>${check.id}</code></h3>
    <p>${check.why}</p>
    <ul>
      ${shownIn(outcome).map((each) => html`<li>${each}</li>`)}
    </ul>
    ${mendsOf(outcome.check.mend, outcome.seen).map((mend) => html`<p>How to mend it: ${mend}</p>`)}
  </section>`;
};

/** The verdict of a check, with whether it may fail or is missed. */
const verdictOf = ({ verdict, isAllowed, isRequired }: Outcome): string => {
  if (verdict === 'failed' && isAllowed !== undefined) return `failed, as is allowed: ${isAllowed}`;
  return verdict === 'not exercised' && isRequired ? 'not exercised, but required' : verdict;
};

const row = (outcome: Outcome): Html => {
  const { check, exercisedBy, unjudged } = outcome;
  return html`<tr>
    <td>${verdictOf(outcome)}</td>
    <td><code>${check.id}</code></td>
    <td>${check.title}</td>
    <td>${unjudged ?? exercisedBy.join(', ')}</td>
  </tr>`;
};

/** The report as a page without scripts: failed checks first. */
export function htmlReport({ command, seed, startedAt, ms, outcomes, scenarios }: Verification): string {
  const fatal = outcomes.filter(isFatal);
  const headline = `${fatal.length === 0 ? 'Passed' : 'Failed'}: ${countsOf({ outcomes })}${standstillOf(scenarios)}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Verification: ${headline}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>${headline}</h1>
        <p><code>${command.join(' ')}</code>, ${startedAt}, ${seconds(ms)}, seed ${seed}</p>
        ${warningsOf(scenarios).map((warning) => html`<p>Warning: ${warning}</p>`)} ${fatal.map(failed)}
        <h2>All checks</h2>
        <table>
          <tr>
            <th>Verdict</th>
            <th>Id</th>
            <th>Check</th>
            <th>Exercised by, or why not judged</th>
          </tr>
          ${outcomes.map(row)}
        </table>
      </body>
    </html>`.text;
}

/** The report as Markdown, for the summary of a job. */
export function markdownReport({ command, outcomes, scenarios }: Verification): string {
  const unjudged = outcomes.filter((each) => each.unjudged !== undefined);
  const rows = outcomes
    .filter((each) => isFatal(each) || each.verdict === 'failed')
    .map((each) => {
      const shown = [...(each.isAllowed === undefined ? [] : [verdictOf(each)]), ...shownIn(each)];
      return `| \`${each.check.id}\` | ${markdownText(shown.join('; '))} | ${markdownText(mendsOf(each.check.mend, each.seen).join(' '))} |`;
    });
  return maskSecrets(
    [
      `## verify: ${countsOf({ outcomes })}${standstillOf(scenarios)}`,
      '',
      `\`${command.join(' ')}\``,
      '',
      ...(unjudged.length > 0
        ? [
            'Not judged:',
            '',
            ...unjudged.map(({ check, unjudged: reason }) => `- \`${check.id}\`: ${markdownText(reason ?? '')}`),
            '',
          ]
        : []),
      ...(rows.length > 0 ? ['| check | seen | how to mend it |', '| --- | --- | --- |', ...rows, ''] : []),
    ].join('\n'),
  );
}

/** Returns the report in the form that the path's ending asks for; secrets that a program printed are masked. */
export function reportFor(path: string, verification: Verification): string {
  if (path.endsWith('.xml')) return maskSecrets(junitReport(verification));
  return maskSecrets(path.endsWith('.json') ? jsonReport(verification) : htmlReport(verification));
}
