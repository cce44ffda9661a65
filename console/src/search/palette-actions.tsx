import { lazy, Suspense } from 'react';
import { NewClientForm } from '../clients/new-client.js';
import { Loading } from '../shared/ui/loading.js';
import type { Action } from '../shared/ui/action-menu.js';
import { texts } from '../texts.js';

const NewLicenseForm = lazy(async () => ({
  default: (await import('../projects/new-license-form.js')).NewLicenseForm,
}));

/** The actions that the search offers besides records and pages. */
export const ACTIONS: readonly Action[] = [
  {
    label: texts.projects.newLicense,
    operation: 'createProject',
    dialog: {
      title: texts.projects.newLicense,
      content: (close) => (
        <Suspense fallback={<Loading />}>
          <NewLicenseForm project={undefined} clientId={undefined} onClose={close} />
        </Suspense>
      ),
    },
  },
  {
    label: texts.clients.new,
    operation: 'createClient',
    dialog: {
      title: texts.clients.new,
      content: (close) => <NewClientForm onCancel={close} />,
    },
  },
];
