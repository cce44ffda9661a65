import { LicenseKeyService } from '../../../src/licenses/license-key.service.js';
import { ENGINES } from '../../engines.js';
import { addLicense, type CreatedLicense, createLicense, validationOf } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

const TERMS = { duration: 3, services: ['Domain'] };

describe.each(ENGINES)('S11: a license key that another license has, on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  let taken: CreatedLicense;
  let other: CreatedLicense;

  beforeAll(async () => {
    taken = await createLicense(app, ada);
    other = await addLicense(app, ada, taken.project);
  });

  it.each<[string, () => [path: string, body: object]]>([
    [
      'a new project',
      () => ['/projects/createProject', { ...TERMS, clientId: taken.client, projectName: 'Wiki' }],
    ],
    ['one more license', () => [`/projects/${taken.project}/licenses`, TERMS]],
    ['a replacement', () => [`/licenses/${other._id}/reissue`, {}]],
  ])('is generated twice for %s, which gets a third', async (_case, request) => {
    const generate = jest
      .spyOn(app.nest.get(LicenseKeyService), 'generate')
      .mockReturnValueOnce(taken.key)
      .mockReturnValueOnce(taken.key.toLowerCase());
    const { status, body } = await app.post(...request(), ada);

    expect(status).toBe(201);
    expect(generate).toHaveBeenCalledTimes(3);
    expect(body.license.key).toBe(generate.mock.results[2]?.value);
    expect(await validationOf(app, taken)).toBe('pending');
    expect(await validationOf(app, body.license)).toBe('pending');
    generate.mockRestore();
  });
});
