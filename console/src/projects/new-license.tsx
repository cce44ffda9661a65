import { lazy, Suspense } from 'react';
import type { Plan, Project } from '../api/types.js';
import { DialogButton } from '../shared/dialog-button.js';
import buttons from '../shared/ui/button.module.css';
import { Loading } from '../shared/ui/loading.js';
import { texts } from '../texts.js';

const NewLicenseForm = lazy(async () => ({
  default: (await import('./new-license-form.js')).NewLicenseForm,
}));

interface Props {
  /** If absent, the form asks for the client. */
  readonly project?: Pick<Project, '_id' | 'name' | 'product'> | undefined;
  /** The client that the form starts with. */
  readonly clientId?: string | undefined;
  /** The plan that the form starts with. */
  readonly plan?: Pick<Plan, '_id' | 'name'> | undefined;
  readonly label?: string;
  /** Tells buttons with the same label apart. */
  readonly name?: string;
  /** Whether this is not the page's main action. */
  readonly isPlain?: boolean;
}

/** Issues a license, creates its client and project if they are new, and shows the key. */
export const NewLicense = ({
  project,
  clientId,
  plan,
  name,
  label = texts.projects.newLicense,
  isPlain = false,
}: Props) => (
  <DialogButton
    operation={project ? 'createLicense' : 'createProject'}
    label={label}
    name={name}
    title={titleOf(project, plan)}
    className={isPlain ? undefined : buttons.primary}
  >
    {(close) => (
      <Suspense fallback={<Loading />}>
        <NewLicenseForm project={project} clientId={clientId} plan={plan?._id} onClose={close} />
      </Suspense>
    )}
  </DialogButton>
);

function titleOf(project: Props['project'], plan: Props['plan']): string {
  if (project) return texts.projects.newLicenseFor(project.name);
  return plan ? texts.projects.newLicenseOf(plan.name) : texts.projects.newLicense;
}
