/** What can be done with a sandbox, by the ids of its controls; `live`: why not with a live service. */
export const sandboxControls = {
  lab: { title: 'Fault lab', to: '/sandbox', live: 'Faults are injected into a sandbox only' },
  clock: { title: 'Clock', to: '/sandbox#lab-clock', live: 'The live service’s time cannot be moved' },
  startFrom: { title: 'Start from', to: '/sandbox#situations', live: 'Only a sandbox has situations' },
  save: { title: 'Save situation', to: '/sandbox#situation-file', live: 'Only a sandbox has situations' },
  open: { title: 'Open situation', to: '/sandbox#situation-file', live: 'Only a sandbox has situations' },
  empty: { title: 'Empty the sandbox', to: '/sandbox#lab-empty', live: 'The live service cannot be emptied' },
} as const;

/** The tabs of the fault lab; the address `/sandbox#<id>` names one. */
export const labTabs = [
  { id: 'practise', label: 'Practise' },
  { id: 'faults', label: 'Faults' },
  { id: 'clock', label: 'Clock' },
  { id: 'webhooks', label: 'Webhooks' },
  { id: 'magic', label: 'Magic values' },
  { id: 'start-from', label: 'Start from' },
] as const;
