import type { Question } from '#machines/lookup/lookup.machine.ts';
import {
  bankFilesMachine,
  consumerHealthMachine,
  messagingHealthMachine,
  providersMachine,
  translationsMachine,
} from '#machines/lookup/lookup.machine.ts';
import { fileFormat, provider } from '#tests/support/fixtures.ts';
import { everything } from '#tests/support/facts.ts';
import { modelOf } from '#tests/support/paths.ts';
import { otherThan } from '#tests/support/formTyping.ts';

/** The two healths ask nothing that the user could change. */
const health = {
  facts: { 'any facts': everything },
  events: { 'question.change': () => [] },
  answers: {
    look: {
      health: {
        version: '1',
        branch: 'main',
        name: 'api',
        status: 'OK',
        httpStatus: 200,
        readAt: '2026-11-20T09:00:00.000Z',
      },
    },
  },
};
const question = (name: string, first: string, second: string) => ({
  'question.change': ({ question: shown }: { question: Question }) => [
    { name, value: otherThan(shown[name] ?? '', first, second) },
  ],
});

export const consumerHealthModel = modelOf(consumerHealthMachine)(health);
export const messagingHealthModel = modelOf(messagingHealthMachine)(health);
export const bankFilesModel = modelOf(bankFilesMachine)({
  facts: { 'any facts': everything },
  answers: { look: { templates: { country: 'GB', language: 'en', found: [fileFormat], other: null } } },
  events: question('country', 'FR', 'GB'),
});
export const providersModel = modelOf(providersMachine)({
  facts: { 'any facts': everything },
  answers: { look: { providers: { country: 'GB', language: 'en', found: [provider], other: null } } },
  events: question('language', 'en-GB', 'en'),
});
export const translationsModel = modelOf(translationsMachine)({
  facts: { 'any facts': everything },
  answers: { look: { 'a text': { entities: [], language: 'en', text: 'Sort code' } } },
  events: question('entityType', 'FileFormat', 'Provider'),
});
