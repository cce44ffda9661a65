import { Fragment } from 'react';
import type { Event, Role } from '../api/types.js';
import { Time } from '../shared/time.js';
import { roles } from '../team/roles.js';
import { texts } from '../texts.js';
import { nameOfType } from '../webhooks/type-name.js';
import { webhookStatus } from '../webhooks/webhook-texts.js';
import { updates } from '../licenses/license-texts.js';
import { fields, no, yes } from './event-list-texts.js';

const { events: names } = texts;

/** Events whose `data` contains each changed field with its old and new value. */
const CHANGES = /\.(updated|changed|renewed|suspended|resumed)$/;

/** The details of an event: the reason, or the changes. */
export function EventDetails({ event: { type, data } }: { readonly event: Event }) {
  const { reason, role } = data;
  const changes = CHANGES.test(type) ? Object.entries(data).filter(isChange) : [];
  return (
    <>
      {typeof reason === 'string' && (names.rejections[reason] ?? reason)}
      {typeof reason === 'string' && changes.length > 0 && '; '}
      {typeof role === 'string' && roles[role as Role]}
      {type.endsWith('.events_omitted') && nameOfType(String(data.type))}
      {changes.map(([field, [before, after]], index) => (
        <Fragment key={field}>
          {index > 0 && '; '}
          {fields[field] ?? field}: <Value field={field} value={before} /> →{' '}
          <Value field={field} value={after} />
        </Fragment>
      ))}
    </>
  );
}

const isChange = (entry: [string, unknown]): entry is [string, [unknown, unknown]] =>
  Array.isArray(entry[1]) && entry[1].length === 2;

/** The labels of enumerated values. */
const CODES: Record<string, Record<string, string>> = {
  status: { ...texts.licenses.status, ...webhookStatus },
  role: roles,
};

function Value({ field, value }: { readonly field: string; readonly value: unknown }) {
  if (field === 'expiresAt' && value === null) return texts.perpetual;
  if (field === 'updatesUntil' && value === null) return updates.unlimited;
  if (value === null || value === '') return texts.none;
  if (typeof value === 'boolean') return value ? yes : no;
  if (/(At|Until)$/.test(field) && typeof value === 'string')
    return <Time at={value} withTime={false} />;
  if (Array.isArray(value)) {
    const all = field === 'types' ? value.map(nameOfType) : value;
    return all.join(', ') || texts.none;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return CODES[field]?.[value] ?? value;
}
