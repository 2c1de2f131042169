import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { createContext, use, useId, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';

/**
 * The DOM elements of the frame's bar, in order: `start` for buttons that leave the step, `end` for its other buttons,
 * `onward` for those that continue to other pages.
 */
interface Place {
  start: HTMLElement | null;
  end: HTMLElement | null;
  onward: HTMLElement | null;
  /** Renders the step's primary action as a secondary one, because the offer of the next step is primary. */
  second?: boolean;
  /** Address of the step before this one on the guided path; '' for none. */
  back?: string;
}

/** A phone, or a magnified page: the bars take as few lines as they can. */
export const smallWindow = '@media (max-width: 49.99rem), (max-height: 38rem)';

/** A magnified page with room for one line of the bar. */
export const lowWindow = '@media (max-height: 38rem) and (min-width: 30rem)';

/** The accessible name of the bar. */
export const barName = 'Actions of this step';

/** Null without a frame: the bar is then rendered in place. */
const BarPlace = createContext<Place | null>(null);
export const BarProvider = BarPlace.Provider;

/** Renders the primary actions of `children` as secondary ones while `second` is true. */
export function SecondBar({ second, children }: { second: boolean; children: ReactNode }) {
  const place = use(BarPlace);
  return <BarPlace value={place && { ...place, second: second || place.second === true }}>{children}</BarPlace>;
}

/** Marks the primary action for the keyboard shortcut, in the bar or on a page that has nothing to show yet. */
export const primaryMark = { 'data-primary': true } as const;

/**
 * Presses the page's primary action, unless it is disabled; where there is none, submits the form that has the focus.
 * Presses none while a dialog is open.
 */
export function pressPrimary(): void {
  if (document.querySelector('dialog[open]')) return;
  const primary = document.querySelector<HTMLElement>('[data-primary]');
  if (!primary) document.activeElement?.closest('form')?.requestSubmit();
  else if (primary.getAttribute('aria-disabled') !== 'true') primary.click();
}

/** One button of the bar. */
interface Act {
  label: string;
  onPress?: () => void;
  /** DOM id of the form that the button submits. */
  form?: string;
  /** Address of the page to which the button links. */
  to?: string;
  /** Address of the page that the button opens in another tab. */
  opens?: string;
  /** Address of the file that the button saves. */
  download?: string;
  /** Why the button is disabled; '' or absent if it can be pressed. The bar shows it, unless it is the button's label. */
  rests?: string;
  /** The button moves real money. */
  live?: boolean;
  /** The action is destructive, or the tertiary Cancel of the bank screen (behaviour, section 2). */
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
  const { label, onPress, form, to, opens, download, rests = '', live = false, destructive = false } = act;
  const look = {
    ...(variant === 'solid' && primaryMark),
    variant: destructive ? ('plain' as const) : variant,
    ...(live && { bg: 'live', color: 'live.contrast', _hover: { bg: 'live.hover' } }),
  };
  if (to !== undefined)
    return (
      <Button asChild {...look}>
        <Link to={to}>{label}</Link>
      </Button>
    );
  if (opens !== undefined && rests === '')
    return (
      <Button asChild {...look} onClick={onPress}>
        <a href={opens} target="_blank" rel="noopener">
          {label} ↗
        </a>
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
      aria-disabled={rests !== ''}
      aria-describedby={rests ? describedBy : undefined}
      onClick={form || rests ? undefined : onPress}
    >
      {label}
    </Button>
  );
}

export interface BarProps {
  /** Back, and Cancel (Close once the step is done). */
  leave?: readonly Act[];
  /** Why the step cannot continue, or the result of its last action; the reasons of disabled buttons come first. */
  reason?: ReactNode;
  secondary?: readonly Act[];
  /** The one action that continues the step; its label names that action. */
  primary?: Act | null;
  /** The buttons continue to other pages and stand after the step's own. */
  onward?: boolean;
}

/** The buttons of a step, rendered into the frame's bar above the status bar (behaviour, section 10.16). */
export function Bar({ leave = [], reason, secondary = [], primary, onward = false }: BarProps) {
  const place = use(BarPlace);
  const id = useId();
  const back = place?.back ?? '';
  // A step that goes back within itself has its own Back.
  const leaves =
    back !== '' && leave.length > 0 && !leave.some(({ label }) => label === 'Back')
      ? [{ label: 'Back', to: back }, ...leave]
      : leave;
  const acts = [...(primary ? [primary] : []), ...secondary, ...leaves];
  const labels = new Set(acts.map(({ label }) => label));
  const reasons = [...new Set(acts.map(({ rests = '' }) => rests))].filter((rests) => rests && !labels.has(rests));
  const told = reasons.length > 0 ? reasons.join('. ') : reason;
  const described = told ? { describedBy: id } : {};
  const start = leaves.map((act) => <Control key={act.label} act={act} variant="ghost" {...described} />);
  const end = (
    <>
      {told && (
        <Text
          id={id}
          order="-1"
          fontSize="sm"
          color="fg.muted"
          // A reason is shown whole, however many lines it takes, unless the window is small.
          lineClamp={reasons.length > 0 ? 'none' : 2}
          css={{
            [smallWindow]: {
              display: '-webkit-box',
              WebkitBoxOrient: 'vertical',
              WebkitLineClamp: reasons.length > 0 ? 2 : 1,
              overflow: 'hidden',
            },
            [lowWindow]: { flexBasis: 'auto', WebkitLineClamp: 1 },
          }}
          title={typeof told === 'string' ? told : undefined}
          flexBasis={{ base: 'full', md: 'auto' }}
        >
          {told}
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
      <Flex role="region" aria-label={barName} gap="2" wrap="wrap" align="center">
        {start}
        <Box flex="1" />
        {end}
      </Flex>
    );
  const after = onward ? place.onward : place.end;
  return (
    <>
      {place.start && createPortal(start, place.start)}
      {after && createPortal(end, after)}
    </>
  );
}
