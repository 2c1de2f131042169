import { loadCompiler } from '#rules/pattern.ts';

// Rules are checked without the effects that read them.
await loadCompiler();
