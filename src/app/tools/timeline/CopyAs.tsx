import type { TimelineEntry } from '#contract/timeline.ts';
import { importWithRetry } from '#app/client/importWithRetry.ts';
import { languages } from '#app/journey/inspector/code/languages.ts';
import { shownAfter } from '#app/journey/inspector/shownRequest.ts';
import { useCopy } from '#ui/CopyButton.tsx';
import { Choices } from '#ui/Menu.tsx';

/** Copies the request of an entry as code that sends it, with placeholders such as $TOKEN for secrets. */
export function CopyAs({ entry }: { entry: TimelineEntry }) {
  const { said, copy } = useCopy();
  const request = { ...shownAfter(entry), url: new URL(entry.url, location.origin).href };
  return (
    <div>
      <Choices
        label={said || 'Copy as'}
        choices={languages.map((language) => ({
          label: language,
          onChoose: () =>
            void importWithRetry(() => import('#app/journey/inspector/code.ts')).then(({ codeOf }) =>
              copy(codeOf(request, language)),
            ),
        }))}
      />
      <span role="status" aria-label={said} />
    </div>
  );
}
