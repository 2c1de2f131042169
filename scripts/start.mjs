/** Starts the console and its sandbox, or with the argument `sandbox` the sandbox alone. */
import { ready } from './ready.mjs';

ready();
await import(process.argv[2] === 'sandbox' ? '../dist/server/sandbox.js' : '../dist/server/main.js');
