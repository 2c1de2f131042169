/** A test case of a JUnit report. Time in ms. */
export interface JunitCase {
  name: string;
  ms: number;
  /** Why it was not run. */
  skipped?: string;
  /** Why it failed, and what shows it. */
  failure?: { message: string; text: string };
  /** What it printed; '' for nothing. */
  output?: string;
}

export interface JunitSuite {
  name: string;
  ms: number;
  cases: readonly JunitCase[];
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 does not allow, lone surrogates included. */
const noXml =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** What would command a terminal or a service that runs jobs if the report is printed, and what begins a line for some readers (`printable.ts`). */
const commands = /(?<=^[^\S\n]*):(?=:)|#(?=#\w*\[)|[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gm;
const reference = (character: string): string => `&#${character.charCodeAt(0)};`;
const xml = (text: string): string =>
  text
    .replace(noXml, '\ufffd')
    .replace(/[&<>"]/g, (each) => escapes[each] ?? '')
    .replace(commands, reference);
/** A value of an attribute, whose line breaks would be read as blanks. */
const attribute = (text: string): string => xml(text).replace(/[\t\n\r]/g, reference);
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function contentOf({ skipped, failure, output = '' }: JunitCase): string {
  if (skipped !== undefined) return `<skipped message="${attribute(skipped)}"/>`;
  if (failure) {
    const head = `<failure message="${attribute(failure.message)}"`;
    return failure.text === '' ? `${head}/>` : `${head}>${xml(failure.text)}</failure>`;
  }
  return output === '' ? '' : `<system-out>${xml(output)}</system-out>`;
}

function caseOf(suite: string, tested: JunitCase): string {
  const head = `<testcase classname="${attribute(suite)}" name="${attribute(tested.name)}" time="${seconds(tested.ms)}"`;
  const content = contentOf(tested);
  return content === '' ? `    ${head}/>` : `    ${head}>${content}</testcase>`;
}

const failuresIn = ({ cases }: JunitSuite): number => cases.filter(({ failure }) => failure !== undefined).length;

/** Writes a report in JUnit's format. `startedAt` is an ISO time. */
export function junitXml(
  name: string,
  suites: readonly JunitSuite[],
  { ms, startedAt }: { ms: number; startedAt: string },
): string {
  const texts = suites.map((suite) => {
    const skipped = suite.cases.filter((each) => each.skipped !== undefined).length;
    const head = `<testsuite name="${attribute(suite.name)}" tests="${suite.cases.length}" failures="${failuresIn(suite)}" errors="0" skipped="${skipped}" time="${seconds(suite.ms)}" timestamp="${startedAt.slice(0, 19)}">`;
    return `  ${head}\n${suite.cases.map((each) => caseOf(suite.name, each)).join('\n')}\n  </testsuite>`;
  });
  const tests = suites.reduce((sum, { cases }) => sum + cases.length, 0);
  const failures = suites.reduce((sum, suite) => sum + failuresIn(suite), 0);
  const head = `<testsuites name="${attribute(name)}" tests="${tests}" failures="${failures}" errors="0" time="${seconds(ms)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${texts.join('\n')}\n</testsuites>\n`;
}
