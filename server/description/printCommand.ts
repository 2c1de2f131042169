import { parseArgs } from 'node:util';
import { printable } from '#rules/printable.ts';
import { reportLostOutput } from '#server/commandOutput.ts';
import { serviceOpenApi } from './openapi.ts';

const help = `Prints the OpenAPI 3.1 document of the Payments Out Service (docs/wire.md, section 18).

  --url ADDRESS  the address of the service in the document (/)
  --help         prints this text
`;

const options = { url: { type: 'string' }, help: { type: 'boolean' } } as const;

function print(args: string[]): string {
  const { url = '/', help: asksForHelp } = parseArgs({ args, options }).values;
  if (asksForHelp) return help;
  if (url !== '/' && !(URL.canParse(url) && /^https?:/i.test(url)))
    throw new TypeError(`--url is ${JSON.stringify(url)}: give an http or https URL`);
  return `${JSON.stringify(serviceOpenApi(url), null, 2)}\n`;
}

reportLostOutput();
try {
  process.stdout.write(print(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`${printable(error.message)}\n`);
  process.exitCode = 2;
}
