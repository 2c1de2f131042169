import { Flex } from '@chakra-ui/react';
import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Where the frame has room beside a step's heading; undefined without a frame, null until it is drawn. */
const Place = createContext<HTMLElement | null | undefined>(undefined);
export const BesideHeadingProvider = Place.Provider;

/** Draws its children beside the heading of the step; without a frame where they are written. */
export function BesideHeading({ children }: { children: ReactNode }) {
  const place = use(Place);
  if (place === undefined) return <Flex justify="end">{children}</Flex>;
  return place && createPortal(children, place);
}
