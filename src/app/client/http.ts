import axios, { type AxiosError, type AxiosRequestConfig } from 'axios';
import { parse, stringify } from '#contract/json.ts';
import { learnTime } from '#ui/clock.ts';

/** The only module that uses axios. */

const client = axios.create({
  transformRequest: (data: unknown, headers) => {
    if (data === undefined) return data;
    headers.setContentType('application/json');
    return stringify(data);
  },
  // A payment file is bytes, even if it looks like JSON; the refusal of one is JSON in bytes.
  transformResponse(data: string | ArrayBuffer, headers, status) {
    const isFile = typeof data !== 'string' && status !== undefined && status < 300;
    if (!data || isFile || !/[/+]json/.test(String(headers.get('content-type')))) return data;
    return parse(typeof data === 'string' ? data : new TextDecoder().decode(data));
  },
});

client.interceptors.response.use((answer) => {
  learnTime(answer.headers['date']);
  return answer;
});

/** Another console: its address, headers for each request, and whether it is reached without a proxy. */
export interface Elsewhere {
  origin: string;
  headers: Readonly<Record<string, string>>;
  direct: boolean;
}

let elsewhere: Elsewhere | null = null;

/** Sends all further requests to another console, for code that runs without a page; null restores the page's own. */
export const connectTo = (console: Elsewhere | null): void => {
  elsewhere = console;
};

/** The URL with its query; leaves out undefined members. */
export const urlOf = (url: string, params?: Record<string, string | undefined>): string =>
  client.getUri({ url, params });

export const request = <T>(config: AxiosRequestConfig) =>
  client.request<T>(
    elsewhere
      ? {
          ...config,
          baseURL: elsewhere.origin,
          headers: { ...config.headers, ...elsewhere.headers },
          ...(elsewhere.direct && { proxy: false }),
        }
      : config,
  );

/** Whether an error is the failure of a request rather than its cancellation. */
export const hasFailed = (error: unknown): error is AxiosError => axios.isAxiosError(error) && !axios.isCancel(error);
