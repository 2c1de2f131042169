import { Box, Heading, Link } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';

/** A line of the summary; `control` is the DOM id of the field's control. */
export interface SummaryLine {
  control: string;
  message: string;
  /** The message's language, if it is another one than the page's. */
  lang?: string | undefined;
}

/** A group of boxes to tick is entered at the first of them. */
function focusOn(control: string): void {
  const element = document.getElementById(control);
  (element?.querySelector<HTMLElement>('input[type=checkbox]') ?? element)?.focus();
}

/** Every field in error on top of a form, each a link to its field; takes the focus when `attempt` changes (ux, rule 3). */
export function ErrorSummary({ lines, attempt }: { lines: readonly SummaryLine[]; attempt: number }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (lines.length === 0) return null;
  return (
    <Box ref={box} tabIndex={-1} role="alert" borderWidth="2px" borderColor="failed" borderRadius="md" p="4">
      <Heading as="h2" size="md">
        {lines.length === 1 ? 'There is a problem' : `There are ${lines.length} problems`}
      </Heading>
      <Box as="ul" ps="4" pt="1" listStyleType="disc" display="grid" gap="2">
        {lines.map(({ control, message, lang }) => (
          <li key={control}>
            <Link
              href={`#${control}`}
              lang={lang}
              color="failed"
              onClick={(event) => {
                event.preventDefault();
                focusOn(control);
              }}
            >
              {message}
            </Link>
          </li>
        ))}
      </Box>
    </Box>
  );
}
