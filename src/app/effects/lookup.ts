import { parseAsWritten } from '#contract/json.ts';
import type { FileFormat, Provider, Rule } from '#contract/lookup.ts';
import type { Settings } from '#contract/settings.ts';
import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import {
  type Definitions,
  type Question,
  consumerHealthMachine,
  messagingHealthMachine,
  translationsMachine,
  type Translation,
  bankFilesMachine,
  providersMachine,
} from '#machines/lookup/lookup.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { validationOf } from '#rules/field.ts';
import { withLanguage } from '#rules/language.ts';
import { translatedFields, translationKey } from '#rules/translation.ts';
import { serverTime } from '#ui/clock.ts';
import { call } from '../client/client.ts';
import { masked } from '../client/mask.ts';
import type { JourneyCode } from '#machines/console.ts';
import { definitions } from './definitions.ts';

/** Returns a function that reads the choices of these names from the address. */
const questionIn =
  (...names: string[]) =>
  (query: URLSearchParams): { question: Question } => ({
    question: Object.fromEntries(
      names.flatMap((name) => {
        const value = query.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
  });

/** The chosen country and language; by default those of the settings. */
async function localeOf(
  { country, language }: Question,
  setting: keyof Settings & `${string}Country`,
  signal: AbortSignal,
): Promise<{ country: string; language: string }> {
  const settings = await call('getSettings', { signal });
  return { country: country ?? settings[setting], language: language ?? settings.acceptLanguage };
}

export const consumerHealth = {
  machine: provideEffects(consumerHealthMachine, {
    look: async (_, signal) => ({
      ...(await call('getConsumerHealth', { signal })).data,
      readAt: serverTime(),
    }),
  }),
} satisfies JourneyCode;

export const messagingHealth = {
  machine: provideEffects(messagingHealthMachine, {
    look: async (_, signal) => ({
      ...(await call('getMessagingHealth', { signal })).data,
      readAt: serverTime(),
    }),
  }),
} satisfies JourneyCode;

/** Several rules may have the same label, so each label also contains the path of the rule's value. */
const named = (rule: Rule) => {
  const validation = validationOf(rule);
  const place = [validation?.apiPath, validation?.jsonPath].filter(Boolean).join(' ');
  const fields = translatedFields.filter((field) => validation?.[field]);
  return { id: rule.ruleId, fields, label: `${validation?.uiLabel ?? rule.ruleId} (${place || rule.ruleId})` };
};

/** The rules that have a text to look up. */
const speaking = (rules: readonly Rule[]) => rules.map(named).filter(({ fields }) => fields.length > 0);

type Entity = Translation['entities'][number];

const ofProvider = ({ providerId, name, accountType }: Provider): Entity => ({
  id: providerId,
  type: 'Provider',
  name,
  rules: speaking(accountType.validationRules),
});

const ofFileFormat = ({ fileFormatId, name, specification }: FileFormat): Entity => ({
  id: fileFormatId,
  type: 'FileFormat',
  name,
  rules: speaking(specification.rules),
});

/** The entities of the chosen type, and the text once a rule and one of its fields are chosen. */
async function translate(question: Question, signal: AbortSignal): Promise<Translation> {
  const { entityType = '', entityId = '', ruleId = '', field = '' } = question;
  const { acceptLanguage: language } = await call('getSettings', { signal });
  const all =
    entityType === 'Provider'
      ? (await call('getProviders', { signal })).data.map(ofProvider)
      : (await call('getFileFormats', { signal })).data.map(ofFileFormat);
  const entities = all.filter(({ rules }) => rules.length > 0);
  const rule = entities
    .find(({ id }) => id === entityId)
    ?.rules.find(({ id, fields }) => id === ruleId && fields.includes(field));
  const key = rule ? translationKey({ entityType, entityId, ruleId, field }) : '';
  if (!key) return { entities, language, text: '' };
  const { data } = await call('getTranslation', { params: { key }, signal });
  return { entities, language, text: data.data.translation };
}

/** The choices in the address. */
const translationsInput = questionIn('entityType', 'entityId', 'ruleId', 'field');

export const translations = {
  machine: provideEffects(translationsMachine, { look: translate }),
  input: translationsInput,
} satisfies JourneyCode;

/** The view of the definitions page, and what it compares, from the address. */
const definitionsInput = questionIn('country', 'language', 'view', 'one', 'otherCountry', 'otherLanguage', 'other');

/** Reads the definitions of the question; for a comparison, also those of the other country and language. */
async function definitionsOf<Definition>(
  question: Question,
  setting: keyof Settings & `${string}Country`,
  read: (query: {
    country: string;
    language: string;
    raw?: string;
  }) => Promise<{ data: Definition[]; raw?: string | undefined }>,
  signal: AbortSignal,
): Promise<Definitions<Definition>> {
  const query = await localeOf(question, setting, signal);
  const { otherCountry = query.country, otherLanguage = query.language } = question;
  const against = { country: otherCountry, language: otherLanguage };
  const [here, other] = await Promise.all([
    read({ ...query, raw: 'true' }),
    question['view'] === 'compare' ? read(against).then(({ data }) => ({ ...against, found: data })) : null,
  ]);
  return { ...query, found: here.data, raw: masked(parseAsWritten(here.raw ?? 'null')), other };
}

export const bankFiles = {
  machine: provideEffects(bankFilesMachine, {
    look: (question, signal) =>
      definitionsOf(question, 'fileFormatCountry', (query) => definitions('getFileFormats', { query, signal }), signal),
  }),
  input: definitionsInput,
} satisfies JourneyCode;

export const providers = {
  machine: provideEffects(providersMachine, {
    look: async (question, signal) => {
      const compares = question['view'] === 'compare';
      const [found, instruments] = await Promise.all([
        definitionsOf(question, 'providerCountry', (query) => definitions('getProviders', { query, signal }), signal),
        compares ? definitions('getLocalInstruments', { signal }) : { data: [] },
      ]);
      return { ...found, instruments: instruments.data };
    },
  }),
  input: definitionsInput,
} satisfies JourneyCode;

/** The rule playground, with the providers for the chosen country and language. */
export const additionalData = {
  machine: provideEffects(additionalDataMachine, {
    loadProviders: async (_, signal) => {
      const [{ acceptLanguage }, { data }] = await Promise.all([
        call('getSettings', { signal }),
        definitions('getProviders', { signal }),
      ]);
      return data.map((provider) => withLanguage(provider, acceptLanguage));
    },
  }),
} satisfies JourneyCode;
