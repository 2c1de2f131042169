import { main } from './main.ts';

// The reader of the output may end before everything is printed; the exit status still counts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.exitCode = await main(
  process.argv.slice(2),
  { env: process.env },
  { print: (text) => process.stdout.write(text), complain: (line) => process.stderr.write(`${line}\n`) },
);
