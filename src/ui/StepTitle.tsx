import { Flex, Heading } from '@chakra-ui/react';
import { createContext, use, useEffect, type ReactNode } from 'react';
import { Badge, toneOf } from './Badge.tsx';

/** What a page is about. */
export interface Title {
  text: string;
  /** The record's status, beside it; '' for none. */
  status: string;
  /** What has failed, beside the status; '' if nothing has. */
  failed: string;
}

/** Sets the title of the step's page; null without a frame. */
const SetTitle = createContext<((title: Title | null) => void) | null>(null);
export const StepTitleProvider = SetTitle.Provider;

/** A heading with the status of what it names beside it. */
export function TitleLine({ title: { status, failed }, children }: { title: Title; children: ReactNode }) {
  return (
    <Flex columnGap="3" rowGap="1" align="center" wrap="wrap">
      {children}
      {status !== '' && (
        <span role="status" aria-label="Status">
          <Badge tone={toneOf(status)}>{status}</Badge>
        </span>
      )}
      {failed !== '' && <Badge tone="failed">{failed}</Badge>}
    </Flex>
  );
}

/** Replaces the step's heading, and its introduction, by what the page is about; without a frame, in place. */
export function StepTitle({ text, status = '', failed = '' }: { text: string } & Partial<Title>) {
  const setTitle = use(SetTitle);
  useEffect(() => {
    setTitle?.({ text, status, failed });
    return () => setTitle?.(null);
  }, [setTitle, text, status, failed]);
  if (setTitle) return null;
  return (
    <TitleLine title={{ text, status, failed }}>
      <Heading as="h2" size="2xl">
        {text}
      </Heading>
    </TitleLine>
  );
}
