import { Box, Button, Heading } from '@chakra-ui/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFocusReturn } from '#ui/focus.ts';
import { ResizeHandle } from '#app/frame/ResizeHandle.tsx';
import { sessionStore, localStore } from '#app/client/storage.ts';
import { filterIn, searchOf, type Filter } from './timelineFilter.ts';
import { Workbench } from './Workbench.tsx';

const heightSlot = 'workbench.height';
const lookSlot = 'workbench.look';

/** Heights in px: the minimum, the default, and the minimum of the page above. */
const least = 160;
const usual = 360;
const leftAbove = 200;

const mostHeight = (): number => Math.max(least, window.innerHeight - leftAbove);
const within = (height: number): number => Math.round(Math.min(Math.max(height, least), mostHeight()));

function useHeight(): [number, (height: number) => void] {
  const [height, setHeight] = useState(() => within(Number(localStore().getItem(heightSlot)) || usual));
  const resize = (to: number) => {
    setHeight(within(to));
    localStore().setItem(heightSlot, String(within(to)));
  };
  return [height, resize];
}

/** The dock's view of the timeline (filter and open entry), in the tab's session storage. */
function useLook(): [Filter, (change: Partial<Filter>) => void] {
  const [look, setLook] = useState(() => filterIn(new URLSearchParams(sessionStore().getItem(lookSlot) ?? '')));
  const change = useCallback((to: Partial<Filter>) => {
    setLook((before) => {
      const next = { ...before, ...to };
      sessionStore().setItem(lookSlot, searchOf(next).toString());
      return next;
    });
  }, []);
  return [look, change];
}

/** The timeline docked above the status bar of every page. */
export function Dock({ onClose }: { onClose: () => void }) {
  const [height, resize] = useHeight();
  const [look, onLook] = useLook();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusReturn();
  useEffect(() => {
    // Takes the focus only when opened from the status bar, not when the page loads with the dock open.
    if (document.activeElement?.closest('footer')) heading.current?.focus();
  }, []);
  return (
    <Box
      as="section"
      aria-label="Timeline"
      position="relative"
      bg="bg"
      borderTopWidth="1px"
      boxShadow="0 -8px 24px rgb(0 0 0 / 0.06)"
      style={{ height }}
      maxHeight="70dvh"
      onKeyDown={({ key }) => key === 'Escape' && (look.entry ? onLook({ entry: '', other: '' }) : onClose())}
    >
      <ResizeHandle
        edge="top"
        label="Height of the timeline"
        size={height}
        least={least}
        most={mostHeight()}
        onResize={resize}
      />
      <Workbench
        look={look}
        onLook={onLook}
        heading={
          <Heading as="h2" size="lg" me="2" ref={heading} tabIndex={-1} outline="none">
            Timeline
          </Heading>
        }
        close={
          <Button size="sm" variant="ghost" aria-label="Close the timeline" onClick={onClose}>
            <span aria-hidden="true">✕</span>
          </Button>
        }
      >
        <Button asChild size="sm">
          <Link to={{ pathname: '/timeline', search: searchOf(look).toString() }}>Full page</Link>
        </Button>
      </Workbench>
    </Box>
  );
}
