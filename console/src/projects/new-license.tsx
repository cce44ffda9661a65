import { lazy, Suspense } from 'react';
import type { Project } from '../api/types.js';
import { DialogButton } from '../shared/dialog-button.js';
import buttons from '../shared/ui/button.module.css';
import { Loading } from '../shared/ui/loading.js';
import { texts } from '../texts.js';

const NewLicenseForm = lazy(async () => ({
  default: (await import('./new-license-form.js')).NewLicenseForm,
}));

interface Props {
  /** If absent, the form asks for it. */
  readonly project?: Pick<Project, '_id' | 'name'> | undefined;
  /** The client that the form starts with. */
  readonly clientId?: string | undefined;
  readonly label?: string;
  /** Whether it is not the main action of the page. */
  readonly isPlain?: boolean;
}

/** Issues a license, creates its client and project if they are new, and shows the key. */
export const NewLicense = ({
  project,
  clientId,
  label = texts.projects.newLicense,
  isPlain = false,
}: Props) => (
  <DialogButton
    operation={project ? 'createLicense' : 'createProject'}
    label={label}
    title={project ? texts.projects.newLicenseFor(project.name) : texts.projects.newLicense}
    className={isPlain ? undefined : buttons.primary}
  >
    {(close) => (
      <Suspense fallback={<Loading />}>
        <NewLicenseForm projectId={project?._id} clientId={clientId} onClose={close} />
      </Suspense>
    )}
  </DialogButton>
);
