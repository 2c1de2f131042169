import { Box, Button, Flex, Heading as HeadingText, Link, Text } from '@chakra-ui/react';
import { Component, useEffect, useState, type ReactNode } from 'react';
import { CopyButton } from '#ui/CopyButton.tsx';
import { onServerBack } from '#ui/onServerBack.ts';
import { CodeBlock } from '#ui/surfaces.tsx';
import { chunkFailure } from '../client/importWithRetry.ts';
import { sessionStore, outlastsReload } from '../client/storage.ts';

/** Storage key: this tab's page has already reloaded itself. */
const slot = 'reloaded';

/** Whether the user opened this page, in contrast to a page that was reloaded; false if the browser does not say. */
function isOpenedByUser(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]; // entries of that type
  return navigation?.type === 'navigate';
}

function claim(): boolean {
  if (!isOpenedByUser() && sessionStore().getItem(slot) !== null) return false;
  sessionStore().setItem(slot, 'true');
  return outlastsReload(slot);
}

let claimed: boolean | undefined;

/**
 * Claims the one automatic reload of a page that the user has opened; returns whether the page may reload itself. A
 * reloaded page never reloads itself again: a chunk that hangs or is missing would be requested without end. The claim
 * is in the tab's session storage; where the browser stores nothing, there is no automatic reload.
 */
const claimReload = (): boolean => (claimed ??= claim());

const detailsOf = (error: Error): string =>
  [error.stack ?? error.message, error.cause instanceof Error ? `Caused by ${error.cause.message}` : '']
    .join('\n')
    .trim();

/** The level of the failure's heading: a page has one h1. */
type Heading = 'h1' | 'h3';

function Crash({ error, heading }: { error: Error; heading: Heading }) {
  const isChunk = error.message === chunkFailure;
  const [reloads] = useState(() => isChunk && claimReload());
  useEffect(() => (reloads ? onServerBack(() => location.reload()) : undefined), [reloads]);
  return (
    <Box role="alert" p="6" maxWidth="measure" display="grid" gap="3">
      <HeadingText as={heading} size="xl">
        {isChunk ? chunkFailure : 'Unexpected Application Error'}
      </HeadingText>
      <Text>
        {isChunk
          ? `A part of the page could not be loaded. ${reloads ? 'It reloads when the console’s server works again' : 'Check that the console’s server is running, then reload the page'}; your entries are stored.`
          : 'An error occurred in the page. Reloading keeps your entries.'}
      </Text>
      <CodeBlock>{detailsOf(error)}</CodeBlock>
      <Flex gap="2" align="center">
        <Button variant="solid" onClick={() => location.reload()}>
          Reload
        </Button>
        <Link href="/">Home</Link>
        <CopyButton text={detailsOf(error)} what="this error" label="Copy details" />
      </Flex>
    </Box>
  );
}

interface Props {
  children: ReactNode;
  /** What is shown, such as the address: when it changes, the children are rendered again. */
  shows: string;
  heading?: Heading;
}

interface State {
  error: Error | null;
  /** What was shown when it failed. */
  shows: string;
}

/**
 * Shows a generic title and the error's details in place of a part of the page that threw while rendering (behaviour,
 * section 8), until something else is to be shown.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, shows: this.props.shows };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ shows }: Props, state: State): State | null {
    return shows === state.shows ? null : { error: null, shows };
  }

  override render() {
    const { children, heading = 'h1' } = this.props;
    return this.state.error ? <Crash error={this.state.error} heading={heading} /> : children;
  }
}
