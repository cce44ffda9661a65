import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { Project } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { NewKey } from '../licenses/new-key.js';
import { SendKey } from '../licenses/send-key.js';
import { TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { texts } from '../texts.js';
import { ForWhom, subjectOf } from './for-whom.js';
import { type IssuedLicense, useIssueLicense } from './issue-license.js';
import { issue as names } from './issue-texts.js';
import { LicenseTermsFields, licenseTermsOf } from './license-terms-fields.js';
import { NewKeys } from './new-keys.js';
import { ProjectNameField } from './project-name-field.js';

interface Props {
  /** If absent, the form asks for the client. */
  readonly project: Pick<Project, '_id' | 'product'> | undefined;
  /** The preselected client. */
  readonly clientId: string | undefined;
  /** The preselected plan. */
  readonly plan?: string | undefined;
  readonly onClose: () => void;
}

/** Asks for client, product and terms, then shows the license key. */
export function NewLicenseForm({ project, clientId: initial, plan, onClose }: Props) {
  const [clientId, setClientId] = useState(initial);
  const [product, setProduct] = useState(project?.product ?? undefined);
  const [issued, setIssued] = useState<readonly IssuedLicense[]>([]);
  const issue = useIssueLicense();
  const write = useWrite(issue, setIssued);
  const [first, ...others] = issued;
  if (first && others.length > 0) return <NewKeys licenses={issued} onClose={onClose} />;
  if (first) {
    const { created } = texts.licenses;
    const { openLicense } = texts.projects;
    return (
      <NewKey license={first} message={created} open={openLicense} onClose={onClose}>
        <SendKey id={first._id} />
      </NewKey>
    );
  }
  const { count, countHint } = names;
  return (
    <Form
      write={write}
      submit={texts.create}
      onCancel={onClose}
      onSubmit={(fields) =>
        write.submit({
          subject: project ? { projectId: project._id } : subjectOf(fields, clientId),
          terms: licenseTermsOf(fields),
          count: Number(fields.get('count') ?? 1),
        })
      }
    >
      {!project && <ForWhom clientId={clientId} onChange={setClientId} onProduct={setProduct} />}
      <LicenseTermsFields
        limits={inputs.createLicense}
        initial={plan}
        product={product === '' ? null : product}
      >
        {project ? (
          <TextField
            label={count}
            hint={countHint(inputs.createLicenses.count)}
            {...inputs.createLicenses.count}
            defaultValue={1}
          />
        ) : (
          <ProjectNameField clientId={clientId} />
        )}
      </LicenseTermsFields>
    </Form>
  );
}
