import { lazy, Suspense } from 'react';
import type { License } from '../api/types.js';
import type { Action } from '../shared/ui/action-menu.js';
import { ConfirmationForm } from '../shared/confirmation.js';
import { Loading } from '../shared/ui/loading.js';
import { sendKey as sendTexts } from '../mail/send-key-texts.js';
import { texts } from '../texts.js';
import { hintOf, nameOf } from './license-name.js';
import { edit as editTexts, reissue as reissueTexts, suspension } from './license-texts.js';
import { resume, revoke, sendKey, suspend } from './license-writes.js';
import { ReasonForm } from './reason-form.js';
import { ReissueForm } from './reissue-license.js';
import { RenewForm } from './renew-license.js';

const EditLicenseForm = lazy(async () => ({
  default: (await import('./edit-license.js')).EditLicenseForm,
}));

export const canBeRevoked = ({ status }: License): boolean => status !== 'REVOKED';

export const canBeResumed = ({ status }: License): boolean => status === 'SUSPENDED';

export const canBeSuspended = (license: License): boolean =>
  canBeRevoked(license) && !canBeResumed(license);

/** Whether it has an expiry date: without a fixed one, only since its first activation. */
export const canBeRenewed = (license: License): boolean =>
  canBeRevoked(license) && !license.startsOnActivation && !license.perpetual;

/** The actions for a license in its status, the most usual first. What can't be undone comes last. */
export function actionsOf(license: License, isMailOn: boolean): Action[] {
  if (!canBeRevoked(license)) return [edition(license)];
  const renewals = canBeRenewed(license) ? [renewal(license)] : [];
  const first = canBeResumed(license)
    ? [resumption(license), ...renewals, edition(license)]
    : [...renewals, edition(license), suspending(license), reissue(license)];
  return [...first, ...(isMailOn ? [sending(license)] : []), revocation(license)];
}

export const renewal = (license: License): Action => ({
  label: texts.renew.action,
  operation: 'renewLicense',
  dialog: {
    title: texts.renew.title(nameOf(license)),
    content: (close) => <RenewForm license={license} onClose={close} />,
  },
});

const edition = (license: License): Action => ({
  label: editTexts.action,
  operation: 'updateLicense',
  dialog: {
    title: editTexts.title(nameOf(license)),
    content: (close) => (
      <Suspense fallback={<Loading />}>
        <EditLicenseForm license={license} onClose={close} />
      </Suspense>
    ),
  },
});

function suspending(license: License): Action {
  const { action, title, consequence, done } = suspension.suspend;
  return {
    label: action,
    operation: 'suspendLicense',
    dialog: {
      title: title(nameOf(license)),
      content: (close) => (
        <ReasonForm
          submit={action}
          consequence={consequence}
          run={(body, key) => suspend(license._id, body, key)}
          done={done(hintOf(license))}
          onClose={close}
        />
      ),
    },
  };
}

function resumption(license: License): Action {
  const { action, title, consequence, done } = suspension.resume;
  return {
    label: action,
    operation: 'suspendLicense',
    dialog: {
      title: title(nameOf(license)),
      content: (close) => (
        <ConfirmationForm
          submit={action}
          details={consequence}
          run={(key) => resume(license._id, key)}
          done={done(hintOf(license))}
          onClose={close}
        />
      ),
    },
  };
}

const reissue = (license: License): Action => ({
  label: reissueTexts.action,
  operation: 'reissueLicense',
  dialog: {
    title: reissueTexts.title(nameOf(license)),
    content: (close) => <ReissueForm license={license} onClose={close} />,
  },
});

const sending = (license: License): Action => ({
  label: sendTexts.action,
  operation: 'sendLicenseKey',
  dialog: {
    title: sendTexts.title(nameOf(license)),
    content: (close) => (
      <ConfirmationForm
        submit={sendTexts.action}
        details={sendTexts.details}
        run={(key) => sendKey(license._id, key)}
        done={sendTexts.done}
        onClose={close}
      />
    ),
  },
});

const revocation = (license: License): Action => ({
  label: texts.revoke.action,
  operation: 'revokeLicense',
  dialog: {
    title: texts.revoke.title(nameOf(license)),
    content: (close) => (
      <ReasonForm
        submit={texts.revoke.action}
        consequence={texts.revoke.consequence}
        isDangerous
        run={(body, key) => revoke(license._id, body, key)}
        done={texts.revoke.done(hintOf(license))}
        onClose={close}
      />
    ),
  },
});
