import {
  bankFilesMachine,
  consumerHealthMachine,
  messagingHealthMachine,
  providersMachine,
  translationsMachine,
} from '#machines/lookup.machine.ts';
import { fileFormat, provider } from '#tests/support/material.ts';
import { modelOf } from '#tests/support/paths.ts';

const health = { answers: { look: { health: { version: '1', branch: 'main', name: 'api', status: 'OK' } } } };
const question = (name: string, value: string) => () => [{ type: 'question.change' as const, name, value }];

export const consumerHealthModel = modelOf({ machine: consumerHealthMachine, ...health });
export const messagingHealthModel = modelOf({ machine: messagingHealthMachine, ...health });
export const bankFilesModel = modelOf({
  machine: bankFilesMachine,
  answers: { look: { templates: [fileFormat] } },
  events: question('country', 'FR'),
});
export const providersModel = modelOf({
  machine: providersMachine,
  answers: { look: { providers: [provider] } },
  events: question('language', 'en-GB'),
});
export const translationsModel = modelOf({
  machine: translationsMachine,
  answers: { look: { 'a text': { entities: [], text: 'Sort code' } } },
  events: question('ruleId', 'rule-1'),
});
