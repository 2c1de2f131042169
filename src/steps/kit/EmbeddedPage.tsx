import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { createContext, use } from 'react';
import { provideEffects } from '#machines/lib/effect.ts';
import { frameMachine } from '#machines/lib/frame.machine.ts';

/** The machine of a frame; without the console's server, nothing is known of a page's header. */
const FrameMachine = createContext(
  provideEffects(frameMachine, { readFraming: () => Promise.resolve({ refusal: '', certain: false }) }),
);
export const FrameMachineProvider = FrameMachine.Provider;

const Frame = chakra('iframe', {
  base: {
    width: 'full',
    height: '32rem',
    display: 'block',
    borderWidth: '0',
    bg: 'bg', // visible behind a page that supports dark mode; browsers paint white behind others
  },
});

/** An address without its scheme and query. */
function addressText(link: string): string {
  const { host, pathname } = new URL(link, location.href);
  return host + pathname;
}

/**
 * A page in a frame, below its address, with the way to open it in a new tab beside it, which is the primary action where the frame cannot
 * show the page. Needs a new `key` for each `link`. `secondary`: the step has a primary action that opens the same page.
 */
export function EmbeddedPage(props: { link: string; title: string; secondary?: true }) {
  const { link, title, secondary = false } = props;
  const actor = useActorRef(use(FrameMachine), { input: { link, around: location.href } });
  const failed = useSelector(actor, (snapshot) => snapshot.hasTag('failed'));
  const refused = useSelector(actor, (snapshot) => snapshot.matches('refused'));
  const reason = useSelector(actor, ({ context }) => context.reason);
  return (
    <Box borderWidth="1px" borderColor="border.control" borderRadius="md" overflow="hidden">
      <Text
        role="status"
        aria-label={`State of the frame: ${title}`}
        overflowWrap="anywhere"
        px="3"
        pt="2"
        _empty={{ display: 'none' }}
      >
        {failed && (
          <>
            {refused ? 'The page cannot be shown here.' : 'The page may not be shown here.'} {reason}.
          </>
        )}
      </Text>
      <Flex gap="3" align="center" justify="space-between" px="3" py="1.5" borderBottomWidth={refused ? '0' : '1px'}>
        <Box as="code" fontSize="xs" color="fg.muted" truncate minWidth="0" title={link}>
          {addressText(link)}
        </Box>
        <Button flex="none" asChild {...(failed && !secondary ? { variant: 'solid' } : { size: 'sm' })}>
          <a href={link} target="_blank" rel="noopener noreferrer">
            Open in a new tab <span aria-hidden="true">↗</span>
          </a>
        </Button>
      </Flex>
      {!refused && (
        <Frame
          src={link}
          title={title}
          referrerPolicy="no-referrer"
          sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
          onLoad={() => actor.send({ type: 'frame.loaded' })}
        />
      )}
    </Box>
  );
}
