import { Flex, Heading, Text } from '@chakra-ui/react';
import { createContext, use, useLayoutEffect, type ReactNode } from 'react';
import { StatusBadge, type Tone } from './Badge.tsx';

/** What a page is about. */
export interface Title {
  /** '' for the step's own heading. */
  text: string;
  /** The record's status, beside it; '' for none. */
  status: string;
  /** That of the status, where its word is none of the service's. */
  tone?: Tone | undefined;
  /** What was done, in the line above; absent or '' for the step's name there. */
  above?: string | undefined;
  /** What the user can do here, below it; '' for none. */
  introduction: string;
}

/** Sets the title of the step's page; null without a frame. */
const SetTitle = createContext<((title: Title | null) => void) | null>(null);
export const StepTitleProvider = SetTitle.Provider;

/** A heading with the status of what it names beside it. */
export function TitleLine({ status, tone, children }: Pick<Title, 'status' | 'tone'> & { children: ReactNode }) {
  return (
    <Flex columnGap="3" rowGap="1" align="center" wrap="wrap">
      {children}
      {status !== '' && (
        <span role="status" aria-label="Status">
          <StatusBadge status={status} tone={tone} />
        </span>
      )}
    </Flex>
  );
}

/** The introduction below a heading. */
export const Introduction = ({ children }: { children: string }) => (
  <Text color="fg.muted" maxWidth="60ch" mt="2">
    {children}
  </Text>
);

/** Replaces the step's heading, and its introduction, by what the page is about; without a frame, in place. */
export function StepTitle(props: Partial<Title>) {
  const { text = '', status = '', introduction = '', tone, above } = props;
  const setTitle = use(SetTitle);
  // Before the first paint, so that nothing moves when the heading changes.
  useLayoutEffect(() => {
    setTitle?.({ text, status, introduction, tone, above });
    return () => setTitle?.(null);
  }, [setTitle, text, status, introduction, tone, above]);
  if (setTitle) return null;
  return (
    <div>
      <TitleLine status={status} tone={tone}>
        {text !== '' && (
          <Heading as="h2" size="2xl">
            {text}
          </Heading>
        )}
      </TitleLine>
      {introduction !== '' && <Introduction>{introduction}</Introduction>}
    </div>
  );
}
