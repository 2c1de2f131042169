/** Ends `npm pack`, whose package would install everything that is built in. */
console.error('npm pack would name packages that are built in: use `npm run package`.');
process.exit(1);
