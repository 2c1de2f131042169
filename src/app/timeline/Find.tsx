import { Button } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { own } from '#contract/member.ts';
import { nameOf, journeys } from '#machines/journeys.ts';
import { Input } from '#ui/Field.tsx';
import type { Filter } from './timelineFilter.ts';

/** Time (ms) after the last keystroke before the filter is applied. */
const pause = 250;

interface Props {
  look: Filter;
  onLook: (change: Partial<Filter>) => void;
}

function FindText({ find, onLook }: { find: string; onLook: Props['onLook'] }) {
  const [text, setText] = useState(find);
  useEffect(() => {
    if (text === find) return undefined;
    const timer = setTimeout(() => onLook({ find: text }), pause);
    return () => clearTimeout(timer);
  }, [text, find, onLook]);
  return (
    <Input
      type="search"
      aria-label="Filter by path, id, status"
      placeholder="Filter by path, id, status"
      value={text}
      onChange={({ target }) => setText(target.value)}
      size="sm"
      width="13.75rem"
    />
  );
}

/** The filter controls of the timeline. */
export function Find({ look: { find, facts, journey }, onLook }: Props) {
  return (
    <>
      {/* The key resets the field when the filter is changed elsewhere. */}
      <FindText key={find} find={find} onLook={onLook} />
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={facts}
        {...(facts && { bg: 'bg.muted', color: 'fg' })}
        onClick={() => onLook({ facts: !facts })}
      >
        {facts ? 'Hide' : 'Show'} facts and settings
      </Button>
      {own(journeys, journey) && (
        <Button size="sm" onClick={() => onLook({ journey: '' })}>
          Only {nameOf(journey)} <span aria-hidden="true">✕</span>
        </Button>
      )}
    </>
  );
}
