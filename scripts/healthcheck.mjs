/**
 * Ends with code 0 if the address that is given answers with success within 6 s, with 1 otherwise. For containers: their
 * image has no other program that could ask.
 */
const [, , address] = process.argv;
const isWell = await fetch(address, { signal: AbortSignal.timeout(6000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isWell ? 0 : 1);
