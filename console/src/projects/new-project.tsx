import { useState } from 'react';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from '../shared/dialog-button.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';
import { issue as names } from './issue-texts.js';
import { useOpenLicense } from './open-license.js';
import { ProductField, productOf } from './product-field.js';
import { LicenseTermsFields, licenseTermsOf } from './license-terms-fields.js';

interface Props {
  readonly client: Pick<Client, '_id' | 'name'>;
}

/** Creates a project with its first license and opens the license page. */
export function NewProject({ client }: Props) {
  return (
    <DialogButton
      operation="createProject"
      label={texts.projects.new}
      title={texts.projects.newTitle(client.name)}
      className={buttons.primary}
    >
      {(close) => <NewProjectForm client={client} onCancel={close} />}
    </DialogButton>
  );
}

function NewProjectForm({ client, onCancel }: Props & { readonly onCancel: () => void }) {
  const openLicense = useOpenLicense();
  const [product, setProduct] = useState<string>();
  const create = useWrite(
    (
      fields: ReturnType<typeof licenseTermsOf> & { projectName: string; product: string | null },
      key,
    ) =>
      bodyOf(
        api.POST('/projects/createProject', {
          params: { header: { 'Idempotency-Key': key } },
          body: { clientId: client._id, ...fields },
        }),
      ),
    openLicense,
  );
  return (
    <Form
      write={create}
      submit={texts.create}
      onCancel={onCancel}
      onSubmit={(fields) =>
        create.submit({
          projectName: textOf(fields, 'projectName'),
          product: productOf(fields),
          ...licenseTermsOf(fields),
        })
      }
    >
      <TextField
        label={texts.projects.name}
        {...inputs.createProject.projectName}
        autoComplete="off"
      />
      <ProductField
        limits={inputs.createProject.product}
        none={names.noProduct}
        onChange={setProduct}
      />
      <LicenseTermsFields limits={inputs.createProject} product={product === '' ? null : product} />
    </Form>
  );
}
