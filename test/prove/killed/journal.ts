import type { CreatedLicense, Developer } from '../../e2e/developer.js';
import type { HttpResponse } from '../../http-caller.js';

/** A license as its owner reads it. */
export interface LicenseRecord extends CreatedLicense {
  readonly status: string;
  readonly issuedAt: string;
  readonly activatedAt: string | null;
}

export interface KnownLicense {
  record: LicenseRecord;
  /** Types of its events, in the order in which they were acknowledged. */
  readonly events: string[];
}

/** One write: its request, and the change that its response acknowledges. */
export interface Write {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** The license that it changes. */
  readonly license?: string;
  readonly acknowledge: (journal: Journal, body: HttpResponse['body']) => void;
}

/** All that the service has acknowledged to one user. */
export class Journal {
  readonly clients = new Set<string>();
  readonly projects = new Set<string>();
  readonly licenses = new Map<string, KnownLicense>();
  /** Acknowledged writes that may be repeated, each with its response. */
  readonly repeatable: { write: Write; response: HttpResponse }[] = [];
  acknowledged = 0;

  constructor(readonly user: Developer) {}

  acknowledge(write: Write, response: HttpResponse): void {
    this.acknowledged += 1;
    write.acknowledge(this, response.body);
    if (write.idempotencyKey) this.repeatable.push({ write, response });
  }

  addLicense(record: LicenseRecord): void {
    this.licenses.set(record._id, { record, events: ['license.created'] });
  }

  change(record: LicenseRecord, event: string): void {
    const known = this.licenses.get(record._id)!;
    known.record = record;
    known.events.push(`license.${event}`);
  }

  licensesOf(project: string): KnownLicense[] {
    return [...this.licenses.values()].filter(({ record }) => record.project === project);
  }

  deleteProject(project: string): void {
    this.licensesOf(project).forEach(({ record }) => this.licenses.delete(record._id));
    this.projects.delete(project);
  }
}
