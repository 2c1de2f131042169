import { assign, setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { OwnValues } from '#contract/forms.ts';
import type { Problem } from '#contract/problem.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { ownErrors } from '#rules/ownForm.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import { effect, actionTexts } from '../lib/effect.ts';
import { assignsFailure, failsTo, journeyActions } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';

/** An organisation, and its company unless companyId is ''. */
export interface Owner {
  organisationId: string;
  companyId: string;
  /** Tells it from others that a program has given the same ids; absent for any of them. */
  companyKey?: string;
}

/** A stored record that the service may have deleted. */
export interface Kept {
  kind: 'subscription' | 'batch' | 'company' | 'organisation';
  id: string;
}

/**
 * The current record that the service no longer knows, and an organisation whose key a sandbox refuses: a sandbox that
 * was replaced has another one, which nobody has. Null if there is none.
 */
export function removable({ lost, settings, environment }: Facts): Kept | null {
  const organisation = { kind: 'organisation', id: settings.organisationId } as const;
  if (lost === 'organisation' || (lost === 'signingKey' && environment === 'sandbox')) return organisation;
  if (lost === 'company') return { kind: lost, id: settings.companyId };
  return lost === 'subscription' ? { kind: lost, id: settings.subscriptionId } : null;
}

export type Entered = OwnValues<'existing'>;

type WorkspaceEvent =
  | { type: 'company.use'; owner: Owner }
  | { type: 'record.remove'; record: Kept }
  | { type: 'key.reveal'; organisationId: string }
  | { type: 'key.hide' }
  | { type: 'key.restore'; organisationId: string }
  | { type: 'existing.open' }
  /** `companies`: how many there are. */
  | { type: 'list.open'; companies: number }
  | { type: 'list.close' }
  | ({ type: 'existing.submit' } & Entered)
  | { type: 'confirm' }
  | { type: 'dismiss' };

interface WorkspaceContext {
  /** The owner or record that is being confirmed, used or removed. */
  owner: Owner | null;
  record: Kept | null;
  organisationId: string;
  /** The signing key in clear while it is shown; otherwise ''. */
  signingKey: string;
  /** Validation errors of the existing organisation that was entered. */
  errors: readonly FieldError[];
  failure: Problem | null;
}

const nothing: WorkspaceContext = {
  owner: null,
  record: null,
  organisationId: '',
  signingKey: '',
  errors: [],
  failure: null,
};

const errorsOf = (event: WorkspaceEvent) => ownErrors('existing', event as Entered); // called for existing.submit only

const closes = { target: 'resting', actions: 'clear', description: pressLabel('Manage', 'Switch company') } as const;

/**
 * The organisations and companies of the workspace: switches to another one, enters an existing one, shows a signing
 * key until it was shown once, puts back the key that another one has replaced, removes what the service no longer knows. Irreversible actions require confirmation.
 *
 * Effects: `use`, `enter`, `remove`, `revealKey`, which returns the key, `confirmKey` and `restoreKey`; all reject with a Problem. Emits
 * `facts.changed` when the facts may have changed.
 */
export const workspaceMachine = setup({
  types: {
    context: {} as WorkspaceContext,
    events: {} as WorkspaceEvent,
    emitted: {} as { type: 'facts.changed' },
  },
  actors: {
    use: effect<Owner | null, void>('writes', actionTexts('The company is current')),
    enter: effect<Entered, void>('writes', actionTexts('The service accepts the key')),
    remove: effect<Kept | null, void>('writes', actionTexts('It is removed')),
    revealKey: effect<string, string>('writes', actionTexts('The signing key arrives')),
    confirmKey: effect<string, void>('writes', actionTexts('It is not shown again')),
    restoreKey: effect<string, void>('writes', actionTexts('The service accepts the earlier key')),
  },
  delays: { keyTime: 60_000, doubleClick },
  guards: {
    isValid: describedGuard(
      'nothing is in error',
      ({ event }: { event: WorkspaceEvent }) => errorsOf(event).length === 0,
    ),
    isEmpty: describedGuard(
      'nothing is listed',
      ({ event }: { event: WorkspaceEvent }) => event.type === 'list.open' && event.companies === 0,
    ),
  },
  actions: {
    clear: assign(nothing),
    chooseOwner: assign(({ event }) => (event.type === 'company.use' ? { owner: event.owner } : {})),
    chooseRecord: assign(({ event }) => (event.type === 'record.remove' ? { record: event.record } : {})),
    chooseOrganisation: assign(({ event }) =>
      event.type === 'key.reveal' || event.type === 'key.restore' ? { organisationId: event.organisationId } : {},
    ),
    showErrors: assign(({ event }) => ({ errors: errorsOf(event), failure: null })),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'workspace',
    context: nothing,
    initial: 'resting',
    states: {
      resting: {
        description: 'The organisations and companies are listed',
        on: {
          'company.use': {
            target: 'using',
            actions: ['clear', 'chooseOwner'],
            description: pressLabel('Use'),
          },
          'record.remove': {
            target: 'askingRemoval',
            actions: ['clear', 'chooseRecord'],
            description: pressLabel('Remove'),
          },
          'key.reveal': {
            target: 'askingKey',
            actions: ['clear', 'chooseOrganisation'],
            description: pressLabel('Reveal signing key'),
          },
          'key.restore': {
            target: 'restoringKey',
            actions: ['clear', 'chooseOrganisation'],
            description: pressLabel('Restore previous signing key'),
          },
          'existing.open': {
            target: 'entering',
            actions: 'clear',
            description: pressLabel('Enter an existing company'),
          },
          // Nothing else can be done with an empty list.
          'list.open': {
            guard: 'isEmpty',
            target: 'entering',
            actions: 'clear',
            description: pressLabel('Enter existing company'),
          },
        },
      },
      using: {
        description: 'Switches to another company',
        invoke: {
          id: 'use',
          src: 'use',
          input: ({ context }) => context.owner,
          onDone: { target: 'used', actions: ['clear', 'emitFactsChanged'] },
          onError: {
            target: 'resting',
            actions: [assignsFailure, 'emitFactsChanged'],
          },
        },
      },
      used: {
        description: 'For half a second the second press of a double click does nothing',
        after: { doubleClick: { target: 'resting', description: doubleClickPasses } },
      },
      askingRemoval: {
        description: 'Asks before something is removed',
        on: {
          confirm: { target: 'removing', description: pressLabel('Remove') },
          dismiss: { target: 'resting', actions: 'clear', description: pressLabel('Cancel') },
        },
      },
      removing: {
        description: 'It is removed if the service no longer knows it',
        invoke: {
          id: 'remove',
          src: 'remove',
          input: ({ context }) => context.record,
          onDone: { target: 'resting', actions: ['clear', 'emitFactsChanged'] },
          onError: {
            target: 'resting',
            actions: [assignsFailure, 'emitFactsChanged'],
          },
        },
      },
      askingKey: {
        description: 'Asks before the signing key is shown, which happens once',
        on: {
          confirm: { target: 'revealing', description: pressLabel('Reveal once') },
          dismiss: { target: 'resting', actions: 'clear' },
        },
      },
      revealing: {
        description: 'The signing key is asked for',
        invoke: {
          id: 'revealKey',
          src: 'revealKey',
          input: ({ context }) => context.organisationId,
          onDone: { target: 'revealed', actions: assign({ signingKey: ({ event }) => event.output }) },
          onError: failsTo('resting'),
        },
      },
      revealed: {
        description: 'The signing key is shown for a minute',
        // If this fails, the key can be revealed again.
        invoke: { id: 'confirmKey', src: 'confirmKey', input: ({ context }) => context.organisationId, onError: {} },
        after: { keyTime: { target: 'resting', actions: 'clear', description: 'A minute passes' } },
        on: {
          'key.hide': { target: 'resting', actions: 'clear', description: pressLabel('Hide') },
          'list.close': closes,
        },
      },
      restoringKey: {
        description: 'Asks the service whether it accepts the earlier signing key',
        invoke: {
          id: 'restoreKey',
          src: 'restoreKey',
          input: ({ context }) => context.organisationId,
          onDone: { target: 'resting', actions: ['clear', 'emitFactsChanged'] },
          onError: {
            target: 'resting',
            actions: [assignsFailure, 'emitFactsChanged'],
          },
        },
      },
      entering: {
        description: 'An existing organisation is entered with its signing key',
        on: {
          // The event passes the key to the effect; the key is not stored.
          'existing.submit': [
            { guard: 'isValid', target: 'submitting', description: pressLabel('Use this company') },
            { actions: 'showErrors' },
          ],
          dismiss: { target: 'resting', actions: 'clear' },
          'list.close': closes,
        },
      },
      submitting: {
        description: 'Asks the service whether it accepts the key',
        entry: assign({ errors: [], failure: null }),
        invoke: {
          id: 'enter',
          src: 'enter',
          input: ({ event }) => event as Entered, // entered only by existing.submit
          onDone: { target: 'resting', actions: 'emitFactsChanged' },
          onError: {
            target: 'entering',
            actions: [assignsFailure, 'emitFactsChanged'],
          },
        },
      },
    },
  });
