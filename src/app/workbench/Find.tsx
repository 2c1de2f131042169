import { Button, chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { nameOf, journeys, type JourneyId } from '#machines/journeys.ts';
import type { Look } from './look.ts';

/** Time (ms) after the last key before the server is asked. */
const pause = 250;

interface Props {
  look: Look;
  onLook: (change: Partial<Look>) => void;
}

function FindText({ find, onLook }: { find: string; onLook: Props['onLook'] }) {
  const [text, setText] = useState(find);
  useEffect(() => {
    if (text === find) return undefined;
    const timer = setTimeout(() => onLook({ find: text }), pause);
    return () => clearTimeout(timer);
  }, [text, find, onLook]);
  return (
    <chakra.input
      type="search"
      aria-label="Filter by path, id, status"
      placeholder="Filter by path, id, status"
      value={text}
      onChange={({ target }) => setText(target.value)}
      width="13.75rem"
      height="7"
      px="3"
      fontSize="sm"
      bg="bg"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="md"
    />
  );
}

/** What narrows the timeline down. */
export function Find({ look: { find, facts, journey }, onLook }: Props) {
  return (
    <>
      {/* A filter that came from elsewhere begins the field anew. */}
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
      {journey in journeys && (
        <Button size="sm" onClick={() => onLook({ journey: '' })}>
          Only {nameOf(journey as JourneyId)} <span aria-hidden="true">✕</span>
        </Button>
      )}
    </>
  );
}
