import { TestApp } from '../../app.js';
import { type Developer, registerDeveloper } from '../developer.js';

const ROUTES: [path: string, marker: object][] = [
  ['/clients', {}],
  ['/projects/createProject', {}],
  ['/validate/activate', { success: false }],
  ['/validate', { valid: false }],
  ['/auth/login', {}],
];

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

// That they are rejected at every route, and store nothing, is S13: security/bodies.e2e-spec.ts.
describe('The errors for bodies that no endpoint takes', () => {
  let app: TestApp;
  let ada: Developer;

  beforeAll(async () => {
    app = await TestApp.start('SQLite');
    ada = await registerDeveloper(app);
  });
  afterAll(() => app.stop());

  const send = (path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    app.send('POST', path, body, { token: ada.token, headers: { 'Content-Type': type } });

  describe.each(ROUTES)('POST %s', (path, marker) => {
    it.each([
      ['an unfinished object', 400, 'MALFORMED_JSON', '{"key":'],
      ['a prototype key', 400, 'MALFORMED_JSON', '{"__proto__":{"key":"x"}}'],
      [
        "a constructor's prototype",
        400,
        'MALFORMED_JSON',
        '{"constructor":{"prototype":{"key":"x"}}}',
      ],
      [
        'bytes that are no UTF-8',
        400,
        'MALFORMED_JSON',
        new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ],
      ['JSON that is no object', 400, 'VALIDATION_ERROR', '[{"key":"x"}]'],
      ['17 levels', 400, 'BODY_TOO_DEEP', `{"a":${nested(16)}}`],
      ['3,000 levels', 400, 'BODY_TOO_DEEP', `{"a":${nested(2999)}}`],
      ['16 KiB and a byte', 413, 'BODY_TOO_LARGE', 'x'.repeat(16 * 1024 + 1)],
      ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', 'key=LIC', 'application/x-www-form-urlencoded'],
    ])('for %s: %i %s', async (_case, status, code, body, type = 'application/json') => {
      const response = await send(path, body, type);

      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({ ...marker, code });
    });

    it('for null and for nothing at all: as for an empty object', async () => {
      const [nothing, none, empty] = await Promise.all([
        app.send('POST', path, undefined, { token: ada.token }),
        send(path, 'null'),
        send(path, '{}'),
      ]);

      expect(empty.status).toBe(400);
      expect({ ...none.body, requestId: '' }).toEqual({ ...empty.body, requestId: '' });
      expect({ ...nothing.body, requestId: '' }).toEqual({ ...empty.body, requestId: '' });
    });
  });

  it('are none for a charset', async () => {
    const body = '{"name":"Acme","email":"charset@acme.example"}';

    expect((await send('/clients', body, 'application/json; charset=utf-8')).status).toBe(201);
  });
});
