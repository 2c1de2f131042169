import { Box, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { Login, userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { descriptionOf } from '#machines/lib/state.ts';
import { Bar } from '#ui/Bar.tsx';
import { Badge } from '#ui/Badge.tsx';
import { ResultCard } from '#ui/ResultCard.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';

/** Submits a GET form once mounted, so that the browser navigates to the identity provider (behaviour, section 7). */
function LoginForm({ action, fields }: Login) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.submit();
    // Cancel stops a navigation that the identity provider has not answered yet.
    return () => window.stop();
  }, []);
  return (
    <form ref={form} method="get" action={action} aria-label="Log in at the identity provider">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Text role="status">Going to the identity provider …</Text>
    </form>
  );
}

/** Shows whose user token is stored, if any, and offers to log in (behaviour, section 2: /getnetworkaccesstoken). */
export function UserTokenStep({ actor }: { actor: ActorRefFrom<typeof userTokenMachine> }) {
  const loggedIn = useSelector(actor, ({ context }) => context.facts.userToken);
  const who = useSelector(actor, ({ context }) => context.facts.user);
  const isExpired = useSelector(actor, ({ context: { facts } }) => !facts.userToken && facts.settings.userJwt !== '');
  const login = useSelector(actor, (snapshot) => (snapshot.matches('leaving') ? snapshot.context.login : null));
  const mayStart = useSelector(actor, (snapshot) => snapshot.can({ type: 'login.start' }));
  const doing = useSelector(actor, descriptionOf);
  const logIn = {
    label: loggedIn ? 'Log in again' : 'Log in',
    rests: mayStart ? '' : doing,
    onPress: () => actor.send({ type: 'login.start' }),
  };
  return (
    <Box display="grid" gap="4" maxWidth="measure">
      {loggedIn ? (
        <>
          <StepTitle text="User token obtained" />
          <ResultCard title={who || 'The user token names nobody'} status="Logged in" tone="done" />
        </>
      ) : (
        <div>
          <Badge tone="idle">{isExpired ? 'Session expired' : 'Not signed in'}</Badge>
        </div>
      )}
      {login && <LoginForm {...login} />}
      <Bar
        leave={[{ label: loggedIn ? 'Close' : 'Cancel', onPress: () => actor.send({ type: 'form.cancel' }) }]}
        {...(loggedIn ? { secondary: [logIn] } : { primary: logIn })}
      />
    </Box>
  );
}
