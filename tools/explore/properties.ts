/** The names of the properties in specification.ts, whose module only Bombadil can load. */
export const properties = [
  'oneHeading',
  'noUncaughtExceptions',
  'noUnhandledPromiseRejections',
  'noConsoleErrors',
  'noSidewaysScroll',
  'busyEnds',
  'whatIsCalledPaidIsOnceUpstream',
  'aGateNamesAWayThatIsOpen',
  'noPageContradictsTheFacts',
  'nothingTypedIsLost',
] as const;

export type Property = (typeof properties)[number];
