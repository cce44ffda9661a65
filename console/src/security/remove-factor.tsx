import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { removal as names } from './security-texts.js';

interface Props {
  /** The id of a passkey, or `totp`. */
  readonly id: string;
  readonly name: string;
}

export const RemoveFactor = ({ id, name }: Props) => (
  <ConfirmationButton
    operation="deleteFactor"
    label={names.action}
    name={`${names.action} ${name}`}
    title={names.title(name)}
    details={names.details}
    isDangerous
    run={() => unlessGone(bodyOf(api.DELETE('/auth/factors/{id}', { params: { path: { id } } })))}
    done={names.done(name)}
  />
);
