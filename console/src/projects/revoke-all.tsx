import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Project } from '../api/types.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { issue as names } from './issue-texts.js';

/** Revokes every license of a project, in the background. */
export const RevokeAll = ({ project: { _id: id, name } }: { readonly project: Project }) => (
  <ConfirmationButton
    operation="revokeLicenses"
    label={names.revokeAll}
    title={names.revokeAllTitle(name)}
    details={names.revokeAllDetails}
    typed={name}
    isDangerous
    run={(key) =>
      bodyOf(
        api.POST('/projects/{id}/licenses/revoke', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body: {},
        }),
      )
    }
    done={names.revoking(name)}
  />
);
