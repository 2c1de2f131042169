import { shallowEqual, useSelector } from '@xstate/react';
import type { Answer } from '#contract/shapes.ts';
import { testRunners, type TestRunner } from '#contract/exports.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { notTested, testedCall } from '#rules/replay.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { testMaking } from '#app/effects/timeline.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Choices } from '#ui/Menu.tsx';
import { saveFile } from '#ui/saveFile.ts';

const runners: Readonly<Record<TestRunner, string>> = { vitest: 'For Vitest', node: 'For node:test' };

const saved = {
  acted: ({ result }: { result: Answer<'getTest'>['data'] }) => saveFile(result.text, result.name, 'text/javascript'),
};

/** Makes a test of a recorded write, which repeats it in a sandbox of its own (behaviour, section 10.25); nothing for other entries. */
export function MakeTest({ entry }: { entry: TimelineEntry }) {
  const isLive = useFacts()?.environment !== 'sandbox';
  const { actor, acting, failure } = useResource(testMaking, saved);
  const make = (runner: TestRunner) => ({ type: 'act', act: 'make', entry, runner, isLive }) as const;
  const may = useSelector(actor, (now) => testRunners.filter((runner) => now.can(make(runner))), shallowEqual);
  if (!testedCall(entry)) return null;
  const whyNot = notTested(entry, isLive);
  return (
    <>
      <Choices
        label={acting ? 'Making …' : 'Make a test'}
        choices={testRunners.map((runner) => ({
          label: runners[runner],
          ...(whyNot && { hint: whyNot }),
          onChoose: may.includes(runner) ? () => actor.send(make(runner)) : null,
        }))}
      />
      {failure && <FailurePanel problem={failure} />}
    </>
  );
}
