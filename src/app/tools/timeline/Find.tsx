import { Button } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { own } from '#contract/member.ts';
import { nameOf, journeys } from '#machines/journeys.ts';
import { shortId } from '#rules/shortId.ts';
import { Input } from '#ui/Field.tsx';
import type { Filter } from './timelineFilter.ts';

/** Time (ms) after the last keystroke before the filter is applied. */
const pause = 250;

interface Props {
  look: Filter;
  /** Whether there may be background reads among what is shown. */
  hasReads: boolean;
  onLook: (change: Partial<Filter>) => void;
}

function FindText({ find, onLook }: { find: string; onLook: Props['onLook'] }) {
  const [text, setText] = useState(find);
  const [seen, setSeen] = useState(find);
  const [applied, setApplied] = useState(find);
  // A filter that was changed elsewhere replaces the text; one that this field has applied does not, because the user
  // may have typed on.
  if (find !== seen) {
    setSeen(find);
    if (find !== applied) {
      setApplied(find);
      setText(find);
    }
  }
  useEffect(() => {
    if (text === applied) return undefined;
    const timer = setTimeout(() => {
      setApplied(text);
      onLook({ find: text });
    }, pause);
    return () => clearTimeout(timer);
  }, [text, applied, onLook]);
  return (
    <Input
      type="search"
      aria-label="Filter by path, id, status"
      placeholder="Filter by path, id, status"
      value={text}
      onChange={({ target }) => setText(target.value)}
      size="sm"
      width={{ base: '12rem', md: 'auto' }}
      flex={{ base: 'none', md: '1 1 9rem' }}
      maxWidth="13.75rem"
    />
  );
}

/** The filter controls of the timeline. */
export function Find({ look: { find, reads, failed, from, journey, interaction }, hasReads, onLook }: Props) {
  return (
    <>
      <FindText find={find} onLook={onLook} />
      {hasReads && (
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={reads}
          title="Successful reads by the console and its page"
          {...(reads && { bg: 'bg.muted', color: 'fg' })}
          onClick={() => onLook({ reads: !reads })}
        >
          {reads ? 'Hide' : 'Show'} background reads
        </Button>
      )}
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={failed}
        {...(failed && { bg: 'failed.subtle', color: 'failed' })}
        onClick={() => onLook({ failed: !failed })}
      >
        <span aria-hidden="true">✕</span> Failed
      </Button>
      {from !== '' && (
        <Button size="sm" hideFrom="md" onClick={() => onLook({ from: '', to: '' })}>
          Only this range <span aria-hidden="true">✕</span>
        </Button>
      )}
      {own(journeys, journey) && (
        <Button size="sm" onClick={() => onLook({ journey: '' })}>
          Only {nameOf(journey)} <span aria-hidden="true">✕</span>
        </Button>
      )}
      {interaction !== '' && (
        <Button size="sm" title={interaction} onClick={() => onLook({ interaction: '' })}>
          Only interaction {shortId(interaction)} <span aria-hidden="true">✕</span>
        </Button>
      )}
    </>
  );
}
