import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { parse, stringify } from '#contract/json.ts';
import { resendLabel } from '#contract/outcome.ts';
import type { Problem, Retry } from '#contract/problem.ts';
import { CopyButton } from './CopyButton.tsx';
import { failures } from './failures.ts';
import {
  backTitle,
  backWords,
  isLost,
  isResend,
  lostWords,
  outcomeText,
  retryWords,
  sentWords,
} from './outcomeWords.ts';
import { autoRetryText, isAway, useIsBack, useOnServerBack } from './onServerBack.ts';
import { Callout, CodeBlock } from './surfaces.tsx';

/** The upstream's body: JSON is indented, other text unchanged. */
function readable(body: string): string {
  try {
    return stringify(parse(body), 2);
  } catch {
    return body;
  }
}

/** The address of the sign-in page; signing in returns to the current page. */
const signInAddress = (): string =>
  `/signin?then=${encodeURIComponent(window.location.pathname + window.location.search)}`;

function Evidence({ problem: { errors = [], upstream, interactionId } }: { problem: Problem }) {
  return (
    <>
      {errors.length > 0 && (
        <Box as="ul" ps="4" listStyleType="disc">
          {errors.map(({ path, message }) => (
            <li key={path + message}>
              {path && <code>{path}: </code>}
              {message}
            </li>
          ))}
        </Box>
      )}
      {upstream && (
        <Box>
          <Text>The service responded with status {upstream.status}:</Text>
          <CodeBlock bg="bg">{readable(upstream.body)}</CodeBlock>
        </Box>
      )}
      {interactionId && (
        <Text>
          Interaction id <code>{interactionId}</code>
        </Text>
      )}
    </>
  );
}

/** The retry that a failure offers, if any, and its effect. */
type Retrying = { onRetry: () => void; retry: Retry } | { onRetry?: never; retry?: never };

/**
 * A failure with cause, evidence and next step (behaviour, section 10.2). `children` are further actions. A read that
 * failed because the console was unavailable is retried automatically once it is back.
 */
export function FailurePanel({
  problem,
  sent = false,
  onRetry,
  retry = 'reads',
  children,
}: {
  problem: Problem;
  /** Whether the message was sent and only its answer could not be read. */
  sent?: boolean;
  children?: ReactNode;
} & Retrying) {
  const { cause, advice } = failures[problem.code];
  useOnServerBack(problem, retry === 'reads' ? onRetry : undefined);
  const isBack = useIsBack(problem);
  const isUnknown = isResend(problem, retry);
  const lost = isUnknown && isLost(problem);
  return (
    <Callout role="alert" tone={isUnknown ? 'waiting' : isBack ? 'next' : 'failed'} maxWidth="measure">
      <Heading as="h2" size="md" color={isUnknown || isBack ? 'fg' : 'failed'}>
        {isUnknown ? 'Outcome unknown' : isBack ? backTitle : problem.title}
      </Heading>
      {lost && <Text>The request was sent. {problem.detail}</Text>}
      {sent && <Text fontWeight="medium">{sentWords}</Text>}
      {problem.outcome && <Text fontWeight="medium">{lost ? lostWords : outcomeText(problem)}</Text>}
      {isBack && <Text>{isUnknown ? `${backTitle}.` : backWords(problem)}</Text>}
      {!lost && !isBack && (
        <>
          <Text>{cause}</Text>
          {problem.detail && <Text overflowWrap="anywhere">{problem.detail}</Text>}
        </>
      )}
      <Evidence problem={problem} />
      <Text fontWeight="medium">
        {!lost && !isBack && advice}
        {onRetry && ` ${isAway(problem) ? autoRetryText : retryWords(problem, retry)}`}
        {problem.retryAfter !== undefined && ` Wait at least ${problem.retryAfter} s.`}
      </Text>
      <Flex gap="2" wrap="wrap" align="center">
        {problem.code === 'signed-out' && (
          <Button asChild variant="solid">
            <a href={signInAddress()}>Sign in</a>
          </Button>
        )}
        {onRetry && (
          <Button
            variant={isUnknown ? 'solid' : 'outline'}
            {...(isUnknown && { 'data-leads': true })}
            onClick={onRetry}
          >
            {isUnknown ? resendLabel : 'Try again'}
          </Button>
        )}
        {children}
        <CopyButton text={JSON.stringify(problem, null, 2)} what="this failure" label="Copy details" />
      </Flex>
    </Callout>
  );
}
