import { useEffect, useState } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { codeOf, languages } from '../inspector/code.ts';
import { shownAfter } from '../inspector/shownRequest.ts';
import { Choices } from './Choices.tsx';

/** How long the button shows its confirmation, in ms. */
const confirmation = 2000;

/** Copies the request of an entry as code that sends it, with placeholders such as $TOKEN for secrets. */
export function CopyAs({ entry }: { entry: TimelineEntry }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(''), confirmation);
    return () => clearTimeout(timer);
  }, [said]);
  const request = { ...shownAfter(entry), url: new URL(entry.url, location.origin).href };
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      // The clipboard is available only over https or on localhost.
      setSaid('Copying is not possible here');
    }
  };
  return (
    <div>
      <Choices
        label={said || 'Copy as'}
        choices={languages.map((language) => ({
          label: language,
          onChoose: () => void copy(codeOf(request, language)),
        }))}
      />
      <span role="status" aria-label={said} />
    </div>
  );
}
