import { UseError } from '#rules/useError.ts';
import { parsedArguments, runCommand } from '#server/command.ts';
import { serviceOpenApi } from './openapi.ts';

const help = `Prints the OpenAPI 3.1 document of the Payments Out Service (docs/wire.md, section 18).

  --url ADDRESS  the address of the service in the document (/)
  --help         prints this text
`;

const options = { url: { type: 'string' }, help: { type: 'boolean' } } as const;

function printed(args: string[]): string {
  const { url = '/', help: asksForHelp } = parsedArguments({ args, options }).values;
  if (asksForHelp) return help;
  if (url !== '/' && !(URL.canParse(url) && /^https?:/i.test(url)))
    throw new UseError(`--url is ${JSON.stringify(url)}: give an http or https URL.`);
  return `${JSON.stringify(serviceOpenApi(url), null, 2)}\n`;
}

await runCommand((args, { print }) => {
  print(printed(args));
  return 0;
});
