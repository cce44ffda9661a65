import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { Project } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { changesOf } from '../shared/changes.js';
import { DialogButton } from '../shared/dialog-button.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';

interface Props {
  readonly project: Project;
  /** Whether one of its licenses is known to have been activated. */
  readonly isActivated: boolean;
}

interface FormProps extends Props {
  readonly onClose: () => void;
}

/** Renames a project. Until the first activation, it can also change the product. */
export function EditProject({ project, isActivated }: Props) {
  return (
    <DialogButton
      operation="updateProject"
      label={texts.projects.edit}
      title={texts.projects.editTitle(project.name)}
    >
      {(close) => <EditProjectForm project={project} isActivated={isActivated} onClose={close} />}
    </DialogButton>
  );
}

function EditProjectForm({ project, isActivated, onClose }: FormProps) {
  const path = { id: project._id };
  const edit = useWrite(
    (fields: { name: string; product?: string }) =>
      bodyOf(api.PATCH('/projects/{id}', { params: { path }, body: changesOf(fields, project) })),
    ({ project: { name } }) => {
      onClose();
      notify(texts.updated(name));
    },
  );
  const isFixed = isActivated && project.product !== null;
  return (
    <Form
      write={edit}
      submit={texts.save}
      onCancel={onClose}
      onSubmit={(fields) => {
        const product = isFixed ? '' : textOf(fields, 'product');
        edit.submit({ name: textOf(fields, 'name'), ...(product && { product }) });
      }}
    >
      <TextField
        label={texts.projects.name}
        {...inputs.updateProject.name}
        defaultValue={project.name}
        autoComplete="off"
        required
      />
      <TextField
        label={texts.projects.product}
        hint={isFixed ? texts.projects.productFixed : texts.projects.productHint}
        {...inputs.updateProject.product}
        defaultValue={project.product ?? ''}
        readOnly={isFixed}
        required={project.product !== null}
        autoComplete="off"
      />
    </Form>
  );
}
