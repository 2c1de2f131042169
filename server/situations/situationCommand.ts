import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (line) => process.stderr.write(`${line}\n`),
});
