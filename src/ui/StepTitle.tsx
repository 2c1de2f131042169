import { Heading } from '@chakra-ui/react';
import { createContext, use, useEffect } from 'react';

/** Sets the title of the step's page; null without a frame. */
const SetTitle = createContext<((title: string) => void) | null>(null);
export const StepTitleProvider = SetTitle.Provider;

/** Replaces the step's heading, and its introduction, by what the page is about; without a frame, in place. */
export function StepTitle({ children }: { children: string }) {
  const setTitle = use(SetTitle);
  useEffect(() => {
    setTitle?.(children);
    return () => setTitle?.('');
  }, [setTitle, children]);
  if (setTitle) return null;
  return (
    <Heading as="h2" size="2xl">
      {children}
    </Heading>
  );
}
