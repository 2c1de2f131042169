import type { FileFormat, Provider, Rule } from '#contract/entities.ts';
import type { Question } from '#machines/lookup.chart.ts';
import { translationsMachine, type Translation } from '#machines/lookup.machine.ts';
import { validationOf } from '#rules/field.ts';
import { translationKey } from '#rules/translation.ts';
import { call } from '../client.ts';
import { look } from './look.ts';

/** Rules share labels, so each is named by where its value goes as well. */
const named = (rule: Rule) => {
  const validation = validationOf(rule);
  const place = [validation?.apiPath, validation?.jsonPath].filter(Boolean).join(' ');
  return { id: rule.ruleId, label: `${validation?.uiLabel ?? rule.ruleId} (${place || rule.ruleId})` };
};

type Entity = Translation['entities'][number];

const ofProvider = ({ providerId, name, accountType }: Provider): Entity => ({
  id: providerId,
  type: 'Provider',
  name,
  rules: accountType.validationRules.map(named),
});

const ofFileFormat = ({ fileFormatId, name, specification }: FileFormat): Entity => ({
  id: fileFormatId,
  type: 'FileFormat',
  name,
  rules: specification.rules.map(named),
});

/** The entities of the chosen type; the text once the question names one of their rules. */
async function translate(question: Question, signal: AbortSignal): Promise<Translation> {
  const { entityType = '', entityId = '', ruleId = '', field = '' } = question;
  const entities =
    entityType === 'Provider'
      ? (await call('getProviders', { signal })).data.map(ofProvider)
      : (await call('getFileFormats', { signal })).data.map(ofFileFormat);
  const rule = entities.find(({ id }) => id === entityId)?.rules.find(({ id }) => id === ruleId);
  const key = rule ? translationKey({ entityType, entityId, ruleId, field }) : '';
  if (!key) return { entities, text: '' };
  const { data } = await call('getTranslation', { params: { key }, signal });
  return { entities, text: data.data.translation };
}

export const machine = translationsMachine.provide(look(translate));
