import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { parse, stringify } from '#contract/json.ts';
import { resendLabel } from '#contract/outcome.ts';
import type { Problem, Retry } from '#contract/problem.ts';
import { recoveryText } from '#rules/repetition.ts';
import { Code } from './Code.tsx';
import { CopyButton } from './CopyButton.tsx';
import { adviceOf, failures, wayOf, type Words } from './failures.ts';
import { backTitle, backWords, isLost, isResend, lostWords, meaningOf, retryWords, sentWords } from './outcomeWords.ts';
import { useIsBack } from './onServerBack.ts';
import { Callout, CodeBlock } from './surfaces.tsx';
import { useStatedOnce } from './useStatedOnce.ts';

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

/** The errors and the service's response, and how to find the call elsewhere. */
function Evidence({ problem }: { problem: Problem }) {
  const { errors = [], upstream, interactionId } = problem;
  return (
    <>
      {errors.length > 0 && (
        <Box as="ul" ps="4" listStyleType="disc">
          {errors.map(({ path, message }) => (
            <li key={path + message}>
              {path && <Code>{path}: </Code>}
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
      <Flex columnGap="2" align="center" wrap="wrap" fontSize="sm" color="fg.muted">
        {interactionId && (
          <Text>
            Interaction id <Code>{interactionId}</Code>
          </Text>
        )}
        <CopyButton text={JSON.stringify(problem, null, 2)} what="this failure" label="Copy details" />
      </Flex>
    </>
  );
}

/** The retry that a failure offers, if any, and its effect. */
type Retrying = { onRetry: () => void; retry: Retry } | { onRetry?: never; retry?: never };

/** What happened: the cause, or for a lost response only that. */
function Happened({ problem, lost, isBack }: { problem: Problem; lost: boolean; isBack: boolean }) {
  const { detail, code } = problem;
  if (lost) return <Text>The request was sent. {detail}</Text>;
  if (isBack) return null;
  // The errors below are the cause of a request with invalid values.
  const isListed = code === 'invalid-request' && (problem.errors ?? []).length > 0;
  const { cause, detailIsOfCalls }: Words = failures[code];
  return (
    <>
      {!isListed && <Text>{cause}</Text>}
      {detail && !detailIsOfCalls && <Text overflowWrap="anywhere">{detail}</Text>}
    </>
  );
}

/**
 * A failure in three parts (behaviour, section 10.2): what happened, with its evidence; what that means for money and
 * records; the next step with one button. Whether it can be repeated is the machine's decision. `children` are further
 * content of the last part. Of several reads with one cause, the first panel states it, and its button repeats all.
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
  const reads = retry === 'reads' ? onRetry : undefined;
  const way = wayOf(problem);
  const box = useRef<HTMLDivElement>(null);
  const fact = reads && recoveryText(problem) ? `${problem.title} ${problem.detail ?? ''}` : '';
  const { leads, retryAll } = useStatedOnce(fact, box, onRetry ?? (() => {}));
  const isBack = useIsBack(problem);
  const isUnknown = isResend(problem, retry);
  const lost = isUnknown && isLost(problem);
  const back = backTitle(problem);
  const meaning = sent ? sentWords : lost ? lostWords : meaningOf(problem);
  const next = [
    !lost && !isBack && adviceOf(problem),
    reads && recoveryText(problem),
    !way && onRetry && retryWords(problem, retry),
    problem.retryAfter !== undefined && `Wait at least ${problem.retryAfter} s.`,
  ];
  return (
    <Callout
      ref={box}
      hidden={!leads}
      role="alert"
      tone={isUnknown ? 'waiting' : isBack ? 'next' : 'failed'}
      maxWidth="measure"
    >
      <Heading as="h2" size="md" color={isUnknown || isBack ? 'fg' : 'failed'}>
        {isUnknown ? 'Outcome unknown' : isBack ? back : problem.title}
      </Heading>
      <Happened problem={problem} lost={lost} isBack={isBack} />
      {meaning && <Text fontWeight="medium">{meaning}</Text>}
      <Evidence problem={problem} />
      {isBack && <Text>{isUnknown ? `${back}.` : backWords(problem)}</Text>}
      <Text _empty={{ display: 'none' }}>{next.filter(Boolean).join(' ')}</Text>
      <Flex gap="2" wrap="wrap" align="center" _empty={{ display: 'none' }}>
        {problem.code === 'signed-out' ? (
          <Button asChild variant="solid">
            <a href={signInAddress()}>Sign in</a>
          </Button>
        ) : way ? (
          <Button asChild>
            <Link to={way.to}>{way.label}</Link>
          </Button>
        ) : (
          onRetry && (
            <Button
              variant={isUnknown ? 'solid' : 'outline'}
              {...(isUnknown && { 'data-leads': true })}
              onClick={retryAll}
            >
              {isUnknown ? resendLabel : 'Try again'}
            </Button>
          )
        )}
        {children}
      </Flex>
    </Callout>
  );
}
