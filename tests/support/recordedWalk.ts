import type { Settings } from '#contract/settings.ts';
import { isAuthorised, statusOf } from '#contract/status.ts';
import type { Form, Values } from '#rules/field.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Choice, Walk } from '#runner/actions.ts';
import type { Walked } from '#runner/runJourney.ts';

/** The parts of journeys' contexts that contain the user's choices. */
type Context = JourneyContext &
  Partial<{
    form: Form;
    values: Values;
    provider: { name: string } | null;
    format: { name: string } | null;
    debtors: readonly { debtorId: string; debtorAccountname: string }[];
    debtorId: string;
    ticked: readonly string[];
    date: string | null;
    view: { batch: { status: string } } | null;
    rows: readonly { current: boolean; status: string }[];
  }>;

const settingKeys = ['providerCountry', 'fileFormatCountry', 'acceptLanguage', 'useMock', 'useNetwork'] as const;

/** The settings that a recorded walk repeats. */
const settingsIn = (settings: Settings): Values =>
  Object.fromEntries(settingKeys.flatMap((key) => (settings[key] === '' ? [] : [[key, settings[key]]])));

/** The values of a form without secret and empty ones. */
const formValues = ({ fields }: Form, values: Values): Values =>
  Object.fromEntries(
    fields.flatMap(({ id, secret }) => (secret || (values[id] ?? '') === '' ? [] : [[id, values[id] ?? '']])),
  );

function choicesIn(id: JourneyId, context: Context): Record<string, Choice> {
  const { provider, format, debtors = [], debtorId, ticked, date, view } = context;
  if (id === 'subscription') return provider ? { provider: provider.name } : {};
  if (id === 'batch')
    return view && !['Completed', 'PaymentFileAvailable'].includes(statusOf(view.batch.status))
      ? { status: statusOf(view.batch.status) }
      : {};
  if (id !== 'electronicPayment' && id !== 'filePayment') return {};
  // Ids differ elsewhere; a name identifies an account if it is unique.
  const name = debtors.find((debtor) => debtor.debtorId === debtorId)?.debtorAccountname ?? '';
  const isOwn = name !== '' && debtors.filter(({ debtorAccountname }) => debtorAccountname === name).length === 1;
  return {
    ...(isOwn && { debtor: name }),
    ...(ticked && ticked.length > 0 && { invoices: ticked.length }),
    ...(date && { date }),
    ...(format && { format: format.name }),
  };
}

/** The walk that repeats a walked journey elsewhere, without secrets; null if it was not done, or only looked something up. */
export function walkOf({ journey, end, context: last }: Walked): Walk | null {
  if (end !== 'done') return null;
  const context = last as Context; // of that journey
  const current = context.rows?.find((row) => row.current);
  if (journey === 'authorisation' && !isAuthorised(current?.status ?? '')) return null;
  const { form, values = {}, facts } = context;
  const given = journey === 'settings' ? settingsIn(facts.settings) : form ? formValues(form, values) : {};
  return { journey, values: given, choices: choicesIn(journey, context) };
}
