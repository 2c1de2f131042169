import type { Exercise, Invoice, ServiceReading } from '#server/programs/checks/evidence.ts';
import type { RecordedBatch, RecordedCall, RecordedWebhook } from '#server/sandbox/recorded.ts';
import type { Asked } from './situation.ts';
import type { WebhookForm } from './webhookForm.ts';

/** The service that a program pays through in a scenario: a fresh sandbox, or another service behind a proxy. */
export interface TestedService {
  url: string;
  calls: () => readonly RecordedCall[];
  /** The webhooks that the service has sent itself. */
  webhooks: () => readonly RecordedWebhook[];
  batches: () => Promise<readonly RecordedBatch[]>;
  addFault: (rule: Exercise) => Promise<void>;
  /** Stops all faults, which sends delayed answers. */
  clearFaults: () => Promise<void>;
  /** Advances the batches that wait for it by one state, or one of them. */
  step: (batchId?: string) => Promise<void>;
  /** Carries out the batches that wait for their day alone, as if it had come; absent where no batch can be advanced. */
  passDay?: () => Promise<void>;
  /** Sets the service's clock on by so many ms; absent where it cannot be. */
  setClockOn?: (ms: number) => Promise<void>;
  /** Waits until the program was told of the latest step by the service's own webhooks. */
  told: () => Promise<void>;
  close: () => Promise<void>;
  /** The variables by which the program finds the service. */
  environment: Readonly<Record<string, string>>;
  invoicesFor: (prefix: string, asked: Asked) => Invoice[];
  /** How it signs webhooks; undefined if none are to be sent. */
  webhookForm: WebhookForm | undefined;
  /** What must not appear in an address. */
  secrets: readonly string[];
  /** Why it shows nothing about a program that should pay when nothing fails; '' if it does. */
  trouble: () => Promise<string>;
  /** How its calls are read; undefined for the sandbox's protocol. */
  reading: ServiceReading | undefined;
}

/** What a scenario needs to open its service. */
export interface Opening {
  seed: number;
  /** The port on which the program listens for webhooks. */
  webhookPort: number;
  /** The variables with which verify was started, and those of its file. */
  env: Readonly<Record<string, string | undefined>>;
}

export type OpenService = (opening: Opening) => Promise<TestedService>;
