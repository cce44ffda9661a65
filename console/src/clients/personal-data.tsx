import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { ConfirmationForm } from '../shared/confirmation.js';
import { ExportButton } from '../shared/export-button.js';
import { personalData as names } from './client-texts.js';

interface Props {
  readonly client: Client;
  readonly onClose: () => void;
}

/** Saves the personal data of a client, or erases it. */
export const PersonalData = ({ client: { _id, name }, onClose }: Props) => (
  <ConfirmationForm
    submit={names.erase}
    details={
      <>
        <p>{names.details}</p>
        <ExportButton
          label={names.download}
          operation="getPersonalData"
          read={() => read(_id)}
          file={names.file(_id)}
          type="application/json"
        />
        <p>{names.eraseDetails}</p>
      </>
    }
    isDangerous
    typed={name}
    run={(key) => erase(_id, key)}
    done={names.erased}
    onClose={onClose}
  />
);

const read = async (id: string) => {
  const params = { path: { id } };
  return JSON.stringify(await bodyOf(api.GET('/clients/{id}/personal-data', { params })), null, 2);
};

const erase = (id: string, key: string) =>
  bodyOf(
    api.POST('/clients/{id}/erase', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );
