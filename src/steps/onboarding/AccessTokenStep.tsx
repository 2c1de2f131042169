import { Button, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { accessTokenMachine } from '#machines/onboarding/accessToken.machine.ts';
import { Code } from '#ui/Code.tsx';
import { Bar } from '#ui/Bar.tsx';
import { CopyButton, Id } from '#ui/CopyButton.tsx';
import { ResultCard } from '#ui/ResultCard.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Life } from '#ui/plots/Life.tsx';

/**
 * The company access token; a live service's is masked until revealed (behaviour, section 2: /getaccesstoken; section 10.8).
 */
export function AccessTokenStep({ actor }: { actor: ActorRefFrom<typeof accessTokenMachine> }) {
  const token = useSelector(actor, ({ context }) => context.token);
  const shown = useSelector(actor, (snapshot) => snapshot.matches('shown'));
  const revealed = useSelector(actor, (snapshot) => snapshot.matches('revealed'));
  if (!token) return null;
  return (
    <>
      <StepTitle text="Access token obtained" />
      <ResultCard
        history={<Life {...token} />}
        values={{
          'Access token': (
            <Flex gap="2" align="center" wrap="wrap">
              <Code wordBreak="break-all">{token.token}</Code>
              {!shown && (
                <Button size="sm" onClick={() => actor.send({ type: revealed ? 'token.hide' : 'token.reveal' })}>
                  {revealed ? 'Hide' : 'Reveal'}
                </Button>
              )}
              {(shown || revealed) && <CopyButton text={token.token} what="the access token" />}
              {!shown && (
                <Text color="fg.muted" role="status">
                  {revealed ? 'Shown for a short while' : 'Masked'}
                </Text>
              )}
            </Flex>
          ),
          Company: <Id value={token.companyId} what="the company id" whole />,
          Organisation: <Id value={token.organisationId} what="the organisation id" whole />,
        }}
      />
      <Bar leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
    </>
  );
}
