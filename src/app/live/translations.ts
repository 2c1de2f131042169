import type { FileFormat, Provider, Rule } from '#contract/entities.ts';
import type { Question } from '#machines/lookup.chart.ts';
import { translationsMachine, type Translation } from '#machines/lookup.machine.ts';
import { validationOf } from '#rules/field.ts';
import { translatedFields, translationKey } from '#rules/translation.ts';
import { call } from '../client.ts';
import { questionIn } from './definitions.ts';
import { look } from './look.ts';

/** Rules share labels, so each is named by where its value goes as well. */
const named = (rule: Rule) => {
  const validation = validationOf(rule);
  const place = [validation?.apiPath, validation?.jsonPath].filter(Boolean).join(' ');
  const fields = translatedFields.filter((field) => validation?.[field]);
  return { id: rule.ruleId, fields, label: `${validation?.uiLabel ?? rule.ruleId} (${place || rule.ruleId})` };
};

/** Rules that have a text to look up. */
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

/** The entities of the chosen type; the text once the question names one of their rules. */
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

/** What is chosen, in the address. */
export const input = questionIn('entityType', 'entityId', 'ruleId', 'field');

export const machine = translationsMachine.provide(look(translate));
