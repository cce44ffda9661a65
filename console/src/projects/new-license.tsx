import { lazy, Suspense } from 'react';
import { DialogButton } from '../shared/dialog-button.js';
import { texts } from '../texts.js';

const NewLicenseForm = lazy(async () => ({
  default: (await import('./new-license-form.js')).NewLicenseForm,
}));

interface Props {
  /** Else it is asked for. */
  readonly projectId?: string;
  /** Else it is asked for. */
  readonly clientId?: string;
}

/** Issues a license, with its client and project where they are new, and shows its key. */
export const NewLicense = (props: Props) => (
  <DialogButton
    operation={props.projectId === undefined ? 'createProject' : 'createLicense'}
    label={texts.projects.newLicense}
    title={texts.projects.newLicense}
    className={props.projectId === undefined ? 'primary' : undefined}
  >
    {(close) => (
      <Suspense fallback={<p className="loading">{texts.loading}</p>}>
        <NewLicenseForm {...props} onClose={close} />
      </Suspense>
    )}
  </DialogButton>
);
