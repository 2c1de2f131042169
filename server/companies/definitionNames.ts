import type { BatchRequest } from '#contract/payment.ts';
import { instrumentOf } from '#rules/merge.ts';
import type { CompanyContext } from './companyContext.ts';
import { subscriptions } from './records.ts';

/** Returns the name of a batch's file format, '' if it is not known here. */
export async function formatName(
  { settings, upstream }: CompanyContext,
  batch: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { fileFormatId } = batch;
  if (!fileFormatId) return '';
  const { fileFormatCountry, acceptLanguage } = settings;
  const locales = [
    { country: fileFormatCountry, language: acceptLanguage },
    { country: '', language: '' },
  ];
  for (const locale of locales) {
    const formats = await upstream.fileFormats(locale).catch(() => ({ data: [] }));
    const format = formats.data.find((each) => each.fileFormatId === fileFormatId);
    if (format) return format.name;
  }
  return '';
}

/**
 * Returns what carries the payments of a batch: the name of its file format, or of the local instrument by which the
 * provider of its subscription pays. '' if that is not known here.
 */
export async function meansOf(
  context: CompanyContext,
  batch: Pick<BatchRequest, 'fileFormatId' | 'subscriptionId'>,
): Promise<string> {
  const { settings, upstream, store } = context;
  if (batch.fileFormatId !== undefined) return formatName(context, batch);
  const { subscriptionId = '' } = batch;
  const record = await store.records(subscriptions).get(subscriptionId);
  const providerId = record?.providerId || (subscriptionId === settings.subscriptionId ? settings.providerId : '');
  if (providerId === '') return '';
  const [provider, instruments] = await Promise.all([
    upstream.provider(providerId, settings.acceptLanguage),
    upstream.localInstruments(settings.acceptLanguage),
  ]);
  return instrumentOf(provider.data, instruments.data);
}
