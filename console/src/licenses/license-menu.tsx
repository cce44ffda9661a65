import type { License } from '../api/types.js';
import { useIsMailOn } from '../mail/use-mail.js';
import { ActionMenu } from '../shared/ui/action-menu.js';
import { texts } from '../texts.js';
import { actionsOf } from './license-actions.js';
import { nameOf } from './license-name.js';

/** The menu of a license in a list. */
export const LicenseMenu = ({ license }: { readonly license: License }) => (
  <ActionMenu
    label={texts.actionsFor(nameOf(license))}
    actions={actionsOf(license, useIsMailOn())}
  />
);
