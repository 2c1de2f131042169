import { Heading, Link } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { focusOn } from './focus.ts';
import { Callout, Stack } from './surfaces.tsx';

/** A line of the summary; `control` is the DOM id of the field's control, null if the form does not contain it. */
export interface SummaryLine {
  control: string | null;
  message: string;
  /** The message's language, if it differs from the page's. */
  lang?: string | undefined;
}

/** Maximum number of lines shown at once; further ones appear as errors are corrected. */
const mostLines = 50;

/**
 * The errors of a form, shown above it, each linked to its field; takes the focus when `attempt` increases (behaviour,
 * section 10.3). `onSeek` is called for a field that is on another page of the form.
 */
export function ErrorSummary(props: {
  lines: readonly SummaryLine[];
  attempt: number;
  onSeek?: (sought: { control: string }) => void;
}) {
  const { lines, attempt, onSeek } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (lines.length === 0) return null;
  return (
    <Callout ref={box} tabIndex={-1} role="alert" tone="failed" gap="1">
      <Heading as="h2" size="md">
        {lines.length === 1 ? 'There is a problem' : `There are ${lines.length} problems`}
      </Heading>
      <Stack as="ul" ps="4" pt="1" listStyleType="disc" gap="2" overflowWrap="anywhere">
        {lines.slice(0, mostLines).map(({ control, message, lang }) => (
          <li key={control ?? message}>
            {control === null ? (
              <bdi>{message}</bdi>
            ) : (
              <Link
                href={`#${control}`}
                lang={lang}
                color="failed"
                onClick={(event) => {
                  event.preventDefault();
                  const element = document.getElementById(control);
                  if (element) focusOn(element);
                  else onSeek?.({ control });
                }}
              >
                <bdi>{message}</bdi>
              </Link>
            )}
          </li>
        ))}
        {lines.length > mostLines && <li>and {lines.length - mostLines} more</li>}
      </Stack>
    </Callout>
  );
}
