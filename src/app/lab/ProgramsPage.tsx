import { Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { retryOf } from '#machines/lib/retry.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { PageHeading } from '../page/PageHeading.tsx';
import { serverMeta } from '../api/serverMeta.ts';
import { programs } from '../effects/programs.ts';
import { ChecksSection } from './ChecksSection.tsx';
import { CopyableText } from './CopyableText.tsx';
import { ProgramTokens, type ProgramsActor } from './ProgramTokens.tsx';
import { Section } from './Section.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** Reads the tokens again when the page becomes visible: programs may have used them since. */
function useLookedAt(actor: ProgramsActor): void {
  useEffect(() => {
    const stale = () => document.visibilityState === 'visible' && actor.send({ type: 'facts.stale' });
    document.addEventListener('visibilitychange', stale);
    return () => document.removeEventListener('visibilitychange', stale);
  }, [actor]);
}

/** The command that checks a program, in a checkout whose page the server did not write; the server knows a better one. */
const inCheckout = 'npm run verify -- node your-app.mjs';

/** /programs: the tokens with which a user's programs call through the console. */
export function ProgramsPage() {
  const actor = useActorRef(programs);
  useLookedAt(actor);
  const isReading = useSelector(actor, (snapshot) => snapshot.matches('reading'));
  const isListed = useSelector(actor, (snapshot) => snapshot.hasTag('list'));
  const failure = useSelector(actor, (snapshot) => (snapshot.matches('unread') ? snapshot.context.failure : null));
  const verifying = serverMeta('verify') || inCheckout;
  const where = verifying.startsWith('npx ')
    ? 'The package is what npm pack makes in a checkout of this console.'
    : 'Run it in the folder of your app.';
  return (
    <Stack gap="5">
      <div>
        <PageHeading>Your app</PageHeading>
        <Text color="fg.muted" maxWidth="measure">
          Your app can call the service through this console. The console forwards its calls unchanged, with the
          credentials of your app, shows them in your timeline as “Your program” and explains their errors.
        </Text>
      </div>
      {isReading && <Skeleton lines={4} />}
      {failure && (
        <FailurePanel
          problem={failure}
          retry={retryOf(actor.getSnapshot(), failure)}
          onRetry={() => actor.send({ type: 'retry' })}
        />
      )}
      {isListed && <ProgramTokens actor={actor} />}
      <ChecksSection />
      <Section
        id="program-checks"
        title="Check your app"
        says={`This command starts your app where payments go wrong: a response is lost, a token expires, your app is killed while it pays. Each time it checks that everybody is paid once. It creates separate sandboxes. ${where}`}
      >
        <CopyableText text={verifying} what="the command" />
      </Section>
    </Stack>
  );
}
