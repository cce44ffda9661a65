import { createHash, createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable, type Type } from '@nestjs/common';
import pLimit from 'p-limit';
import { DtoValidationPipe } from '../http/validation/validation.pipe.js';
import { exactKey, isForeignKey } from '../licenses/license-key-form.js';
import { isPlaceholder } from '../machines/placeholder.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { ImportClientDto, ImportMachineDto, ImportRowDto } from './dto/import-row.dto.js';
import { IMPORT_STATUSES, importStatusOf } from './import-status.js';
import { isUnused, type ValidRow } from './imported-license.js';
import { isFields, withoutNulls } from '../shared/fields/request.decorators.js';
import { isWeakKey, preparedRow, type Warning } from './prepared-row.js';

/** The domain of placeholder addresses, which never receive mail (RFC 2606). */
const MADE_UP_DOMAIN = '@imported.invalid';
const TIMES = ['issuedAt', 'activatedAt', 'expiresAt', 'updatesUntil'];
const LEAST_FINGERPRINT = 16;

/** Options that apply to all rows of an import. */
export interface ImportOptions {
  readonly source: string;
  readonly allowMissingEmail?: boolean | undefined;
  readonly defaults?: object | undefined;
  /** Whether keys may look like keys issued here, which only the operator can vouch for. */
  readonly allowsOwnKeys?: boolean;
}

export interface ReadRow {
  readonly row: ValidRow;
  readonly client: { readonly name: string; readonly email: string };
  readonly warnings: readonly Warning[];
}

/** Reads rows of imports one at a time, because a row can take a few milliseconds. Other requests run in between. */
@Injectable()
export class RowReader {
  private readonly turns = pLimit(1);

  constructor(
    private readonly pipe: DtoValidationPipe,
    private readonly dataKeys: DataKeys,
  ) {}

  /** @throws DomainError KEY_INVALID, STATUS_UNKNOWN, DATE_INVALID, EMAIL_MISSING, FIELD_INVALID; each with its field */
  read(sent: unknown, accountId: AccountId, options: ImportOptions): Promise<ReadRow> {
    return this.turns(async () => {
      await setImmediate();
      return this.readNow(sent, accountId, options);
    });
  }

  private async readNow(
    sent: unknown,
    accountId: AccountId,
    options: ImportOptions,
  ): Promise<ReadRow> {
    if (!isFields(sent)) throw invalid('row');
    const { fields, warnings } = preparedRow(sent, { ...options.defaults });
    if (fields.status !== undefined) {
      fields.status = typeof fields.status === 'string' ? importStatusOf(fields.status) : undefined;
      if (!fields.status) throw new DomainError('STATUS_UNKNOWN', { field: 'status' });
    }
    const row = await this.validate(ImportRowDto, fields);
    const { key, project, product } = row;
    if (!isForeignKey(key) && !(options.allowsOwnKeys && exactKey(key) === key.toUpperCase())) {
      throw new DomainError('KEY_INVALID', { field: 'key' });
    }
    if (isWeakKey(key)) warnings.push('KEY_WEAK');
    if (project === undefined && product === undefined) throw invalid('project');
    const isActive = IMPORT_STATUSES[row.status ?? 'active'] === 'ACTIVE';
    if (row.neverActivated && (isActive || row.activatedAt)) throw invalid('neverActivated');
    const named = isFields(row.client) ? withoutNulls(row.client) : row.client;
    const client = await this.validate(ImportClientDto, named, 'client');
    const email = client.email ?? this.madeUpAddress(client.ref, accountId, options);
    if (client.email === undefined) warnings.push('ADDRESS_MADE_UP');
    const name = client.name ?? client.email ?? client.ref!;
    const machines = await this.machinesOf(row);
    if (machines.length < (row.machines ?? []).length) warnings.push('MACHINES_NOT_IMPORTED');
    return { row: { ...row, machines }, client: { name, email }, warnings };
  }

  private madeUpAddress(ref: string | undefined, account: AccountId, options: ImportOptions) {
    if (!options.allowMissingEmail)
      throw new DomainError('EMAIL_MISSING', { field: 'client.email' });
    if (ref === undefined) throw invalid('client.ref');
    const parts = JSON.stringify(['made-up address', account, options.source, ref]);
    const digits = createHmac('sha256', this.dataKeys.lookup).update(parts).digest('hex');
    return digits.slice(0, 32) + MADE_UP_DOMAIN;
  }

  /** The machines that can hold a seat: each has a fingerprint that is not a placeholder. */
  private async machinesOf(row: ImportRowDto): Promise<ImportMachineDto[]> {
    const found: ImportMachineDto[] = [];
    for (const sent of row.machines ?? []) {
      const fields = isFields(sent) ? withoutNulls(sent) : sent;
      const machine = await this.validate(ImportMachineDto, fields, 'machines');
      const { fingerprint, service } = machine;
      const isKnown = fingerprint !== undefined && !isPlaceholder(fingerprint);
      if ((service === true || isKnown) && !isUnused(row))
        found.push({ ...machine, ...fingerprintOf(machine) });
    }
    return found;
  }

  private async validate<T extends object>(
    metatype: Type<T>,
    fields: object,
    parent?: string,
  ): Promise<T> {
    try {
      return (await this.pipe.transform(fields, { type: 'body', metatype })) as T;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { errors } = error.fields as { readonly errors?: object };
      const name = Object.keys(errors ?? {})[0] ?? 'services';
      // An item that is not an object has no field to name.
      const field = parent && name === 'body' ? parent : [parent, name].filter(Boolean).join('.');
      if (name === 'key') throw new DomainError('KEY_INVALID', { field });
      throw TIMES.includes(name) ? new DomainError('DATE_INVALID', { field }) : invalid(field);
    }
  }
}

const invalid = (field: string) => new DomainError('FIELD_INVALID', { field });

/** A text too short for an activation is hashed. A program that hashes it the same way keeps its seat. */
function fingerprintOf({ fingerprint, service }: ImportMachineDto) {
  if (service || fingerprint === undefined || fingerprint.length >= LEAST_FINGERPRINT) return {};
  const digest = createHash('sha256').update(fingerprint).digest('hex');
  return { fingerprint: `keygen:${digest}` };
}
