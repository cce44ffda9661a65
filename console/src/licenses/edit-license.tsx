import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import { rowsOf } from '../api/pages.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { PlanField } from '../plans/plan-field.js';
import { LimitsFields, limitsOf } from '../projects/limits-fields.js';
import { ServicesField, servicesOf } from '../projects/services-field.js';
import { UpdatesField, updatesOf } from '../projects/updates-field.js';
import { changesOf } from '../shared/changes.js';
import { dayOf, endOfDay } from '../shared/days.js';
import { Checkbox, DateField, TextArea, TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { OFFERED_SERVICES } from '../shared/deployment.js';
import { notify } from '../shared/notices.js';
import { formatDate } from '../shared/time-format.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { texts } from '../texts.js';
import { hintOf } from './license-name.js';
import { eventsQuery } from './license-queries.js';
import { edit as names, terms } from './license-texts.js';
import { update, type LicenseChanges } from './license-writes.js';
import { notesOf, textOfNotes } from './notes.js';

interface Props {
  readonly license: License;
  readonly onClose: () => void;
}

const limits = inputs.updateLicense;

/** Edits a license. If it is revoked, only the reference and notes. */
export function EditLicenseForm({ license, onClose }: Props) {
  const write = useWrite(
    (body: LicenseChanges) => update(license._id, body),
    () => {
      onClose();
      notify(names.done(hintOf(license)));
    },
  );
  const isRevoked = license.status === 'REVOKED';
  return (
    <Form
      write={write}
      submit={texts.save}
      onCancel={onClose}
      onSubmit={(fields) =>
        write.submit({
          ...referenceOf(fields, license),
          ...(!isRevoked && termsOf(fields, license)),
        })
      }
    >
      {!isRevoked && (
        <>
          <ServicesField input={limits.services} initial={license.services} />
          <LimitsFields limits={limits} initial={license} />
          <ExpiryFields license={license} />
          <UpdatesField
            limits={limits}
            initial={license}
            isActivated={license.activatedAt !== null}
          />
          <PlanField
            name={limits.plan.name}
            hint={names.planHint}
            none={terms.noPlan}
            initial={license.plan}
            product={license.product}
          />
        </>
      )}
      <TextField
        label={terms.externalId}
        hint={terms.externalIdHint}
        {...limits.externalId}
        defaultValue={license.externalId ?? ''}
        autoComplete="off"
      />
      <TextArea
        label={names.notes}
        hint={names.notesHint}
        name={limits.metadata.name}
        defaultValue={textOfNotes(license.metadata)}
      />
    </Form>
  );
}

/** The day on which a license expires; empty if its term has not started or it is perpetual. */
const lastDayOf = ({ startsOnActivation, expiresAt }: License): string =>
  startsOnActivation || expiresAt === null ? '' : dayOf(new Date(expiresAt));

function ExpiryFields({ license }: { readonly license: License }) {
  const [isPerpetual, setPerpetual] = useState(license.perpetual);
  const isOpen = license.startsOnActivation && !license.perpetual;
  const former = useFormerEnd(license);
  const earlier = former ? names.beforeRenewal(formatDate(former)) : names.earlier;
  return (
    <FieldRow>
      <DateField
        label={texts.licenses.expires}
        hint={isOpen ? names.expiresHint : earlier}
        name="expiresAt"
        defaultValue={lastDayOf(license)}
        required={!isOpen && !isPerpetual}
        disabled={isPerpetual}
      />
      <Checkbox
        label={texts.perpetual}
        name="perpetual"
        checked={isPerpetual}
        onChange={({ target }) => setPerpetual(target.checked)}
      />
    </FieldRow>
  );
}

/** When the license would expire without its last renewal, if its expiry date is still the one from there. */
function useFormerEnd({ _id, expiresAt }: License): string | undefined {
  const { data } = useInfiniteQuery(eventsQuery(_id));
  const renewal = data && rowsOf(data).find(({ type }) => type === 'license.renewed');
  const change = renewal?.data.expiresAt;
  if (!Array.isArray(change) || change[1] !== expiresAt) return undefined;
  return typeof change[0] === 'string' ? change[0] : undefined;
}

function termsOf(fields: FormData, license: License): LicenseChanges {
  const entered = {
    ...changedServices(fields, license),
    ...limitsOf(fields),
    ...updatesOf(fields, license),
    plan: textOf(fields, 'plan') || null,
  };
  return { ...changesOf(entered, license), ...expiryOf(fields, license) };
}

/** The services if the selection has changed, in any order. */
function changedServices(fields: FormData, license: License): LicenseChanges {
  const { services } = servicesOf(fields);
  const isSame = [...services].sort().join() === [...license.services].sort().join();
  return OFFERED_SERVICES.length === 0 || isSame ? {} : { services };
}

/** The new expiry date, if it was changed. An existing expiry date keeps its time of day. */
function expiryOf(fields: FormData, license: License): LicenseChanges {
  if (fields.has('perpetual')) return license.perpetual ? {} : { expiresAt: null };
  const day = textOf(fields, 'expiresAt');
  const former = lastDayOf(license);
  if (day === former) return {};
  if (former === '' || license.expiresAt === null) return { expiresAt: endOfDay(day) };
  const end = new Date(license.expiresAt);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  end.setFullYear(year, month - 1, date);
  return { expiresAt: end.toISOString() };
}

function referenceOf(fields: FormData, { externalId, metadata }: License): LicenseChanges {
  const reference = textOf(fields, 'externalId') || null;
  const notes = textOf(fields, 'metadata').replaceAll('\r\n', '\n');
  return {
    ...(reference !== externalId && { externalId: reference }),
    ...(notes !== textOfNotes(metadata).trim() && { metadata: notesOf(notes) }),
  };
}
