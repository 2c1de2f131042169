/** Builds the page, the server and what renders the home page (vite.config.ts), then renders it. Prints only errors. */
import { build } from 'vite';

await Promise.all([build(), build({ build: { ssr: true } }), build({ build: { ssr: true }, mode: 'prerender' })]);
await import('./prerender.mjs');
