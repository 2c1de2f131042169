import { Flex } from '@chakra-ui/react';
import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The DOM element beside a step's heading; undefined without a frame, null until the frame is rendered. */
const Place = createContext<HTMLElement | null | undefined>(undefined);
export const BesideHeadingProvider = Place.Provider;

/** Renders its children beside the step's heading; without a frame, in place. */
export function BesideHeading({ children }: { children: ReactNode }) {
  const place = use(Place);
  if (place === undefined) return <Flex justify="end">{children}</Flex>;
  return place && createPortal(children, place);
}
