import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import { useWrite } from '../api/use-write.js';
import { NewKey } from '../licenses/new-key.js';
import { Form } from '../shared/form.js';
import { texts } from '../texts.js';
import { ForWhom, subjectOf } from './for-whom.js';
import { type IssuedLicense, useIssueLicense } from './issue-license.js';
import { LicenseTermsFields, licenseTermsOf } from './license-terms-fields.js';

interface Props {
  /** If absent, the form asks for it. */
  readonly projectId: string | undefined;
  /** The client that it starts with. */
  readonly clientId: string | undefined;
  readonly onClose: () => void;
}

/** Asks for client, project and term, then shows the license key. */
export function NewLicenseForm({ projectId, clientId: initial, onClose }: Props) {
  const [clientId, setClientId] = useState(initial);
  const [issued, setIssued] = useState<IssuedLicense | null>(null);
  const issue = useIssueLicense();
  const write = useWrite(issue, setIssued);
  if (issued) {
    const { created } = texts.licenses;
    return (
      <NewKey {...issued} message={created} open={texts.projects.openLicense} onClose={onClose} />
    );
  }
  return (
    <Form
      write={write}
      submit={texts.create}
      onCancel={onClose}
      onSubmit={(fields) =>
        write.submit({
          subject: projectId === undefined ? subjectOf(fields, clientId) : { projectId },
          terms: licenseTermsOf(fields),
        })
      }
    >
      {projectId === undefined && <ForWhom clientId={clientId} onChange={setClientId} />}
      <LicenseTermsFields limits={inputs.createLicense} />
    </Form>
  );
}
