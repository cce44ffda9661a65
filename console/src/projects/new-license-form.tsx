import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import { useWrite } from '../api/use-write.js';
import { Key } from '../licenses/license-key.js';
import { CopyButton } from '../shared/copy-button.js';
import { Form } from '../shared/form.js';
import { texts } from '../texts.js';
import { ForWhom, subjectOf } from './for-whom.js';
import { type IssuedLicense, useIssueLicense } from './issue-license.js';
import { LicenseTermsFields, licenseTermsOf } from './license-terms-fields.js';

interface Props {
  readonly projectId?: string;
  readonly clientId?: string;
  readonly onClose: () => void;
}

/** For whom, for what and for how long; then the key of the license. */
export function NewLicenseForm({ projectId, clientId: initial, onClose }: Props) {
  const [clientId, setClientId] = useState(initial);
  const [issued, setIssued] = useState<IssuedLicense | null>(null);
  const issue = useIssueLicense();
  const write = useWrite(issue, setIssued);
  if (issued) return <NewKey issued={issued} onClose={onClose} />;
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

interface NewKeyProps {
  readonly issued: IssuedLicense;
  readonly onClose: () => void;
}

function NewKey({ issued: { message, license }, onClose }: NewKeyProps) {
  return (
    <>
      <p role="status">{message}</p>
      <Key value={license.key} />
      <div className="actions">
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
        <Link to="/licenses/$id" params={{ id: license._id }} className="button" onClick={onClose}>
          {texts.projects.openLicense}
        </Link>
        <CopyButton label={texts.licenses.copyKey} text={async () => license.key} isPrimary />
      </div>
    </>
  );
}
