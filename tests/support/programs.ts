import type { Answered } from './integrator.ts';
import { integratorAt } from './integrator.ts';
import { programTokenHeader } from '#contract/programs.ts';
import { testConsole } from './console.ts';
import { fakeUpstream, type Script } from './fakeUpstream.ts';

/** A token as one could be guessed. */
export const guess = { [programTokenHeader]: `pocp_${'x'.repeat(43)}` };

/** The console's problem that was answered to a program, with the status. */
export const problemOf = ({ answer, status }: Pick<Answered, 'answer' | 'status'>) => ({
  ...(JSON.parse(answer) as { detail: string; code: string; type: string }), // the console's problem
  status,
});

/** A console at a scripted service, and a program that calls through it. */
export async function scripted(scripts: Record<string, Script>, more: Partial<Parameters<typeof testConsole>[0]> = {}) {
  const upstream = await fakeUpstream(scripts);
  const opened = await testConsole({ upstreamUrl: upstream.url, ...more });
  return { ...opened, upstream, program: await integratorAt(opened.url) };
}
