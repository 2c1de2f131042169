import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** Runs a tool of the house; what it printed is part of the failure. */
function complaints(tool: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}` || `${tool} ended with ${status}`;
}

describe('the house', () => {
  it('imports in its directions only', () => {
    expect(complaints('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'server', 'tests')).toBe('');
  });

  it('costs a first visit and each route no more JavaScript than allowed', () => {
    expect(complaints('node_modules/size-limit/bin.js')).toBe('');
  });
});
