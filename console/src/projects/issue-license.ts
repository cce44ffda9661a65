import { useRef } from 'react';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { errorTexts } from '../error-texts.js';
import { randomKey } from '../api/random-key.js';
import type { Project } from '../api/types.js';
import { issue as names } from './issue-texts.js';
import type { licenseTermsOf } from './license-terms-fields.js';

/** The project that a license is issued for. */
export type Subject =
  | { readonly projectId: string }
  | {
      /** The id of an existing client, or the fields of a new one. */
      readonly client: string | { readonly name: string; readonly email: string };
      /** The name of one of the client's projects or of a new one; null for the project with this product. */
      readonly projectName: string | null;
      readonly product: string | null;
    };

interface Order {
  readonly subject: Subject;
  readonly terms: ReturnType<typeof licenseTermsOf>;
  /** More than one only if the project exists. */
  readonly count: number;
}

export interface IssuedLicense {
  readonly _id: string;
  readonly key: string;
}

/** Issues licenses. If a later step fails, a retry does not create the client again. */
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

  return async ({ subject, terms, count }: Order, key: string): Promise<IssuedLicense[]> => {
    if ('projectId' in subject) {
      const { projectId } = subject;
      return count > 1
        ? addLicenses(projectId, terms, count, key)
        : addLicense(projectId, terms, key);
    }
    const { client, projectName, product } = subject;
    const isKnown = typeof client === 'string';
    const clientId = isKnown ? client : await createClient(client);
    const project = isKnown ? await findProject(clientId, subject) : undefined;
    if (project) {
      if (product !== null && product !== project.product) await setProduct(project, product);
      return addLicense(project._id, terms, key);
    }
    const name = projectName ?? product ?? names.defaultProject;
    const { license } = await bodyOf(
      api.POST('/projects/createProject', {
        params: { header: { 'Idempotency-Key': key } },
        body: { clientId, projectName: name, product, ...terms },
      }),
    );
    return [license];
  };
}

async function addLicense(id: string, body: Order['terms'], key: string) {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  return [(await bodyOf(api.POST('/projects/{id}/licenses', { params, body }))).license];
}

async function addLicenses(id: string, terms: Order['terms'], count: number, key: string) {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  const { externalId: _single, ...common } = terms;
  const body = { ...common, count };
  return (await bodyOf(api.POST('/projects/{id}/licenses/batch', { params, body }))).licenses;
}

type NamedSubject = Exclude<Subject, { readonly projectId: string }>;

/** The client's project with this name or this product, among the first hundred. */
async function findProject(
  clientId: string,
  { projectName, product }: NamedSubject,
): Promise<Project | undefined> {
  const query = { clientId, limit: 100 };
  const { data } = await bodyOf(api.GET('/projects', { params: { query } }));
  return data.find((project) =>
    projectName === null ? project.product === product : project.name === projectName,
  );
}

/** @throws ApiError if the project has another product, which only the user should change */
async function setProduct({ _id: id, product: present }: Project, product: string): Promise<void> {
  if (present !== null) {
    const code = 'PROJECT_HAS_PRODUCT';
    throw new ApiError(409, { code, message: errorTexts[code]! }, null);
  }
  await bodyOf(api.PATCH('/projects/{id}', { params: { path: { id } }, body: { product } }));
}
