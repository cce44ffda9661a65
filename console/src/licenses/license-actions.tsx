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
import { SendDetails } from './send-key.js';

const EditLicenseForm = lazy(async () => ({
  default: (await import('./edit-license.js')).EditLicenseForm,
}));

export const canBeRevoked = ({ status }: License): boolean => status !== 'REVOKED';

export const canBeResumed = ({ status }: License): boolean => status === 'SUSPENDED';

export const canBeSuspended = (license: License): boolean =>
  canBeRevoked(license) && !canBeResumed(license);

/** Whether the license has an expiry date: a fixed one, or one set by the first activation. */
export const canBeRenewed = (license: License): boolean =>
  canBeRevoked(license) && !license.startsOnActivation && !license.perpetual;

/** The actions available in a license's status, most common first. Irreversible actions come last. */
export function actionsOf(license: License, isMailOn: boolean): Action[] {
  if (!canBeRevoked(license)) return [edition(license)];
  const renewals = canBeRenewed(license) ? [renewal(license)] : [];
  const first = canBeResumed(license)
    ? [resumption(license), ...renewals, edition(license)]
    : [...renewals, edition(license), suspending(license), reissue(license)];
  return [...first, ...(isMailOn ? [sending(license)] : []), revocation(license)];
}

export const renewal = (license: License): Action =>
  actionOn(license, 'renewLicense', texts.renew, (close) => (
    <RenewForm license={license} onClose={close} />
  ));

const edition = (license: License) =>
  actionOn(license, 'updateLicense', editTexts, (close) => (
    <Suspense fallback={<Loading />}>
      <EditLicenseForm license={license} onClose={close} />
    </Suspense>
  ));

const suspending = (license: License) =>
  actionOn(license, 'suspendLicense', suspension.suspend, (close) => (
    <ReasonForm
      submit={suspension.suspend.action}
      consequence={suspension.suspend.consequence}
      run={(body, key) => suspend(license._id, body, key)}
      done={suspension.suspend.done(hintOf(license))}
      onClose={close}
    />
  ));

const resumption = (license: License) =>
  actionOn(license, 'suspendLicense', suspension.resume, (close) => (
    <ConfirmationForm
      submit={suspension.resume.action}
      details={suspension.resume.consequence}
      run={(key) => resume(license._id, key)}
      done={suspension.resume.done(hintOf(license))}
      onClose={close}
    />
  ));

const reissue = (license: License) =>
  actionOn(license, 'reissueLicense', reissueTexts, (close) => (
    <ReissueForm license={license} onClose={close} />
  ));

const sending = (license: License) =>
  actionOn(license, 'sendLicenseKey', sendTexts, (close) => (
    <ConfirmationForm
      submit={sendTexts.action}
      details={<SendDetails clientId={license.client} />}
      run={(key) => sendKey(license._id, key)}
      done={sendTexts.done}
      onClose={close}
    />
  ));

const revocation = (license: License) =>
  actionOn(license, 'revokeLicense', texts.revoke, (close) => (
    <ReasonForm
      submit={texts.revoke.action}
      consequence={texts.revoke.consequence}
      isDangerous
      run={(body, key) => revoke(license._id, body, key)}
      done={texts.revoke.done(hintOf(license))}
      onClose={close}
    />
  ));

interface ActionTexts {
  readonly action: string;
  readonly title: (license: string) => string;
}

/** An action whose dialog names the license in its title. */
const actionOn = (
  license: License,
  operation: Action['operation'],
  { action, title }: ActionTexts,
  content: Action['dialog']['content'],
): Action => ({ label: action, operation, dialog: { title: title(nameOf(license)), content } });
