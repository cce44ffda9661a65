import type { License } from '../api/types.js';
import { ActionMenu } from '../shared/ui/action-menu.js';
import { texts } from '../texts.js';
import { actionsOf } from './license-actions.js';
import { nameOf } from './license-name.js';

interface Props {
  readonly license: License;
  readonly isMailOn: boolean;
}

/** The menu of a license in a list. */
export const LicenseMenu = ({ license, isMailOn }: Props) => (
  <ActionMenu label={texts.actionsFor(nameOf(license))} actions={actionsOf(license, isMailOn)} />
);
