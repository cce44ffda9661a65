import { useDeveloper } from '../use-app.js';

/** An application, a developer, and a project with one license before each test of the calling block. Its issued licenses have these terms. */
export function useProject(defaults: object = {}) {
  const [app, ada] = useDeveloper();
  const project = { _id: '' };
  beforeEach(async () => void (project._id = (await app.createLicense(ada)).project));
  const issue = (terms: object) =>
    app.post(
      `/projects/${project._id}/licenses`,
      { services: ['Hosting'], ...defaults, ...terms },
      ada,
    );
  return {
    ...{ app, ada, project, issue },
    issued: async (terms: object) => (await issue(terms)).body.license,
    patch: ({ _id }: { _id: string }, changes: object) =>
      app.patch(`/licenses/${_id}`, changes, ada),
    post: ({ _id }: { _id: string }, action: string, body: object = {}) =>
      app.post(`/licenses/${_id}/${action}`, body, ada),
    read: (license: { _id: string }) => app.readLicense(ada, license),
  };
}
