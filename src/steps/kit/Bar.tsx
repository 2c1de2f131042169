import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { createContext, use, useId, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';

/** Where the frame has its bar: what leaves a step stands at its start, what goes on at its end. */
interface Place {
  start: HTMLElement | null;
  end: HTMLElement | null;
  /** Something else has the one primary action: the next step, once this one is done. */
  second?: boolean;
}

/** Null without a frame: the bar is drawn where it is written. */
const BarPlace = createContext<Place | null>(null);
export const BarProvider = BarPlace.Provider;

/** Within, a step's primary action is drawn as one of several while `second` holds. */
export function SecondBar({ second, children }: { second: boolean; children: ReactNode }) {
  const place = use(BarPlace);
  return <BarPlace value={place && { ...place, second }}>{children}</BarPlace>;
}

/** One button of the bar. Whether it can run now is the machine's to say. */
interface Act {
  label: string;
  onPress?: () => void;
  /** DOM id of the form that the button submits. */
  form?: string;
  /** The page that it goes to. */
  to?: string;
  /** The file that it saves. */
  download?: string;
  /** It cannot run now; shown with the bar's `reason`. */
  rests?: boolean;
  /** Moves real money. */
  live?: boolean;
  /** Destroys, or is the tertiary Cancel of the bank screen (behaviour, section 2). */
  destructive?: boolean;
}

function Control({
  act,
  variant,
  describedBy,
}: {
  act: Act;
  variant: 'solid' | 'outline' | 'ghost';
  describedBy?: string;
}) {
  const { label, onPress, form, to, download, rests = false, live = false, destructive = false } = act;
  const look = {
    variant: destructive ? ('plain' as const) : variant,
    ...(live && { bg: 'live', color: 'live.contrast', _hover: { bg: 'live.hover' } }),
  };
  if (to !== undefined)
    return (
      <Button asChild {...look}>
        <Link to={to}>{label}</Link>
      </Button>
    );
  if (download !== undefined)
    return (
      <Button asChild {...look}>
        <a href={download} download>
          {label}
        </a>
      </Button>
    );
  return (
    <Button
      {...look}
      type={form ? 'submit' : 'button'}
      form={form}
      aria-disabled={rests}
      aria-describedby={rests ? describedBy : undefined}
      onClick={form || rests ? undefined : onPress}
    >
      {label}
    </Button>
  );
}

export interface BarProps {
  /** Back, Cancel before, Close after. */
  leave?: readonly Act[];
  /** Why the step cannot go on, or what has just come of it. */
  reason?: ReactNode;
  secondary?: readonly Act[];
  /** The one action that leads on, named after what it does. */
  primary?: Act | null;
}

/** The buttons of a step, drawn into the frame's one bar above the status bar (behaviour, section 10.16). */
export function Bar({ leave = [], reason, secondary = [], primary }: BarProps) {
  const place = use(BarPlace);
  const id = useId();
  const described = reason ? { describedBy: id } : {};
  const start = leave.map((act) => <Control key={act.label} act={act} variant="ghost" {...described} />);
  const end = (
    <>
      {reason && (
        <Text
          id={id}
          order="-1"
          fontSize="sm"
          color="fg.muted"
          lineClamp={{ md: 2 }}
          flexBasis={{ base: 'full', md: 'auto' }}
        >
          {reason}
        </Text>
      )}
      {secondary.map((act) => (
        <Control key={act.label} act={act} variant="outline" {...described} />
      ))}
      {primary && <Control act={primary} variant={place?.second ? 'outline' : 'solid'} {...described} />}
    </>
  );
  if (!place)
    return (
      <Flex gap="2" wrap="wrap" align="center">
        {start}
        <Box flex="1" />
        {end}
      </Flex>
    );
  return (
    <>
      {place.start && createPortal(start, place.start)}
      {place.end && createPortal(end, place.end)}
    </>
  );
}
