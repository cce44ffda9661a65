import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsOf } from '../api/pages.js';
import type { License } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { nameOf } from '../licenses/license-name.js';
import { keyQuery, licensesQuery } from '../licenses/license-queries.js';
import { ErrorNote } from '../shared/error-note.js';
import { SelectField } from '../shared/fields.js';
import { Snippet } from '../shared/snippet.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { Panel } from '../shared/ui/panel.js';
import { Waiting } from '../shared/waiting.js';
import { curlOf } from './curl.js';
import { integrate as names } from './integrate-texts.js';

interface Props {
  readonly service: string;
  readonly product: string;
}

/** Commands that activate a license, with the key of one that has a free seat if the user chooses it. */
export function TryIt({ service, product }: Props) {
  const queries = useQueryClient();
  const licenses = useInfiniteQuery(licensesQuery({ product, status: 'PENDING,ACTIVE' }));
  const [key, setKey] = useState<string | null>(null);
  const read = useWrite(
    async (id: string) => (id === '' ? null : queries.fetchQuery(keyQuery(id))),
    setKey,
  );
  const free = licenses.data ? rowsOf(licenses.data).filter(hasFreeSeat) : [];
  return (
    <Panel label={names.try}>
      <Snippet
        title={names.try}
        details={names.tryDetails}
        copy={names.copyTry}
        text={curlOf(service, product, key)}
      />
      {free.length > 0 && (
        <FieldRow>
          <SelectField
            label={names.license}
            hint={names.licenseHint}
            name="license"
            onChange={({ target }) => read.submit(target.value)}
          >
            <option value="">{names.noLicense}</option>
            {free.map((license) => (
              <option key={license._id} value={license._id}>
                {nameOf(license)}
              </option>
            ))}
          </SelectField>
        </FieldRow>
      )}
      <Waiting wait={read.wait} onStop={read.cancel} />
      {read.error && <ErrorNote error={read.error} />}
    </Panel>
  );
}

const hasFreeSeat = ({ isKeyMasked, machinesCount, maxMachines }: License) =>
  !isKeyMasked && machinesCount < maxMachines;
