import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Form } from '../shared/form.js';
import { texts } from '../texts.js';
import { useOpenLicense } from './open-license.js';
import { LicenseTermsFields, licenseTermsOf } from './license-terms-fields.js';

interface Props {
  readonly projectId: string;
}

/** Issues one more license for a project, and leads to its page. */
export function NewLicense({ projectId }: Props) {
  return (
    <DialogButton
      operation="createLicense"
      label={texts.projects.newLicense}
      title={texts.projects.newLicense}
    >
      {(close) => <NewLicenseForm projectId={projectId} onCancel={close} />}
    </DialogButton>
  );
}

function NewLicenseForm({ projectId, onCancel }: Props & { readonly onCancel: () => void }) {
  const openLicense = useOpenLicense();
  const create = useWrite(
    (body: ReturnType<typeof licenseTermsOf>, key) =>
      bodyOf(
        api.POST('/projects/{id}/licenses', {
          params: { path: { id: projectId }, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    openLicense,
  );
  return (
    <Form
      write={create}
      submit={texts.create}
      onCancel={onCancel}
      onSubmit={(fields) => create.submit(licenseTermsOf(fields))}
    >
      <LicenseTermsFields limits={inputs.createLicense} />
    </Form>
  );
}
