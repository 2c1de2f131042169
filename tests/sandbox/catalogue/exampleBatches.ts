import type { FileFormat } from '#contract/lookup.ts';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { validationOf } from '#rules/field.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';

type Tree = Record<string, unknown>;

function put(target: Tree, path: string, value: string): void {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) target[head] = value;
  else put((target[head] ??= {}) as Tree, rest.join('.'), value); // made by this function
}

/** The format of a name in English, or its country's own language. */
export function fileFormat(name: string): FileFormat {
  const found = catalogue.fileFormatsFor().find((format) => format.name === name);
  if (!found) throw new Error(`no file format ${name}`);
  return found;
}

/** A batch with the examples of a format's own rules, and one payment for each of the changes. */
export function exampleBatch(format: FileFormat, changes: readonly Record<string, string>[] = [{}]): BatchRequest {
  const tree: Tree = { externalId: 'batch-1' };
  for (const rule of format.specification.rules) {
    const validation = validationOf(rule);
    if (validation?.example !== undefined) put(tree, validation.jsonPath, validation.example);
    else if (validation?.enumeration?.[0]) put(tree, validation.jsonPath, validation.enumeration[0].value);
  }
  const payments = changes.map((change) => {
    const payment = structuredClone(tree['payments']) as Tree; // every format has payment rules
    for (const [path, value] of Object.entries(change)) put(payment, path, value);
    return payment as Payment; // a test of its own shows that examples are valid
  });
  return { ...tree, payments } as BatchRequest; // a test of its own shows that examples are valid
}

/** Columns of a line as formats count them, e.g. '31-56'. */
export function columns(line: string | undefined, range: string): string {
  const [first = 1, last = 0] = range.split('-').map(Number);
  return (line ?? '').slice(first - 1, last);
}

/** The file's lines, each of which must end with CR LF. */
export function linesOf(file: string): string[] {
  const lines = file.split('\r\n');
  if (lines.pop() !== '') throw new Error('the last line is not ended by CR LF');
  return lines;
}
