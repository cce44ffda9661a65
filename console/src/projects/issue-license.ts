import { useRef } from 'react';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { randomKey } from '../api/random-key.js';
import type { Project } from '../api/types.js';
import type { licenseTermsOf } from './license-terms-fields.js';

/** The project that a license is issued for. */
export type Subject =
  | { readonly projectId: string }
  | {
      /** The id of an existing client, or the fields of a new one. */
      readonly client: string | { readonly name: string; readonly email: string };
      /** The name of one of the client's projects, or of a new one. */
      readonly projectName: string;
      readonly product: string | null;
    };

interface Order {
  readonly subject: Subject;
  readonly terms: ReturnType<typeof licenseTermsOf>;
}

export interface IssuedLicense {
  readonly license: { readonly _id: string; readonly key: string };
}

/** Issues a license. If a later step fails, a retry does not create the client again. */
export function useIssueLicense() {
  const created = useRef(new Map<string, string>());

  const createClient = async (client: { name: string; email: string }): Promise<string> => {
    const name = JSON.stringify(client);
    const known = created.current.get(name);
    if (known !== undefined) return known;
    const params = { header: { 'Idempotency-Key': randomKey() } };
    const response = await bodyOf(api.POST('/clients', { params, body: client }));
    created.current.set(name, response.client._id);
    return response.client._id;
  };

  return async ({ subject, terms }: Order, key: string): Promise<IssuedLicense> => {
    if ('projectId' in subject) return addLicense(subject.projectId, terms, key);
    const { client, projectName, product } = subject;
    const isKnown = typeof client === 'string';
    const clientId = isKnown ? client : await createClient(client);
    const project = isKnown ? await findProject(clientId, projectName) : undefined;
    if (project) {
      if (product !== null && product !== project.product) await setProduct(project._id, product);
      return addLicense(project._id, terms, key);
    }
    return bodyOf(
      api.POST('/projects/createProject', {
        params: { header: { 'Idempotency-Key': key } },
        body: { clientId, projectName, product, ...terms },
      }),
    );
  };
}

const addLicense = (id: string, body: Order['terms'], key: string) =>
  bodyOf(
    api.POST('/projects/{id}/licenses', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );

/** The client's project with this name, among the first hundred. */
async function findProject(clientId: string, name: string): Promise<Project | undefined> {
  const query = { clientId, limit: 100 };
  const { data } = await bodyOf(api.GET('/projects', { params: { query } }));
  return data.find((project) => project.name === name);
}

/** @throws ApiError if the project has another product */
const setProduct = (id: string, product: string) =>
  bodyOf(api.PATCH('/projects/{id}', { params: { path: { id } }, body: { product } }));
