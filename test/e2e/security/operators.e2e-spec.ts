import pLimit from 'p-limit';
import type { Route } from '../../document/openapi-document.js';
import { ENGINES } from '../../engines.js';
import type { HttpResponse } from '../../http-caller.js';
import { casesInScope } from '../../scope.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';
import * as payloads from './operator-payloads.js';
import {
  BODIES,
  createWorld,
  fieldsOf,
  idOf,
  pathTo,
  recordOf,
  ROUTES,
  ROUTES_WITH_BODY,
  type World,
} from './world.js';

/** An account has 32 requests in progress at most. */
const AT_ONCE = 16;

const STRUCTURES = casesInScope(payloads.STRUCTURES);
const TEXTS = casesInScope(payloads.TEXTS);
const PAYLOADS = [...STRUCTURES, ...TEXTS];
const asText = (payload: unknown) =>
  typeof payload === 'string' ? payload : JSON.stringify(payload);

const FIELDS = ROUTES_WITH_BODY.flatMap((route) =>
  fieldsOf(route).map((field) => ({ route, field })),
);
const PARAMETERS = ROUTES.flatMap((route) =>
  (route.operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => ({ route, name })),
);
const RECORDS = ROUTES.filter(recordOf);

/** Where any text may be sent, and what becomes of it: it is kept as it is, or compared as it is. */
const FREE_TEXT = [
  'register.name',
  'register.password',
  'logout.refreshToken',
  'createClient.name',
  'updateClient.name',
  'createProject.projectName',
  'createProject.product',
  'updateProject.name',
  'updateProject.product',
  'revokeLicense.reason',
  'activateLicense.fingerprint',
  'validateLicense.fingerprint',
  'validateLicense.key',
  'validateLicense.product',
  'issueCertificate.fingerprint',
];

/** Fields that accept `true`, which is among the structures. */
const FLAGS = ['rotateSigningKeys.compromised'];

describe.each(ENGINES)('Operators in requests, on %s', (engine) => {
  const app = useApp(engine);
  let eve: World;
  let victim: World;

  beforeAll(async () => {
    [eve, victim] = await Promise.all([
      createWorld(app, { isActive: false }),
      createWorld(app, { isActive: false }),
    ]);
  });

  const everything = () => Promise.all([eve, victim].map(({ user }) => everythingOf(app, user)));
  const send = (route: Route, field: string, payload: unknown) => {
    // A wrong password and a wrong key, so that the session and the keys stay.
    const wrong = { currentPassword: 'not the right one', current: 'k'.repeat(43) };
    const base = { ...BODIES[idOf(route)]!(eve), ...wrong };
    const body = JSON.stringify({ ...base, [field]: payload });
    return app.send(route.method, pathTo(route, eve), body, eve.user);
  };
  const get = (path: string) => app.get(path, eve.user);

  it('are 60 different ones', () => {
    expect(new Set([...payloads.STRUCTURES, ...payloads.TEXTS].map(asText)).size).toBe(60);
  });

  it(`S2: ${PARAMETERS.length * (PAYLOADS.length + payloads.QUERY_FORMS.length)} times in a query: 400 or an empty list`, async () => {
    const before = await everything();
    for (const { route, name } of PARAMETERS) {
      const queries = [
        ...PAYLOADS.map((payload) => `${name}=${encodeURIComponent(asText(payload))}`),
        ...payloads.QUERY_FORMS.map((form) => form(name)),
      ];
      const responses = await pLimit(AT_ONCE).map(queries, (query) =>
        get(`${pathTo(route, eve)}?${query}`),
      );
      const matches = queries.filter((_query, i) => !isRejectedOrEmpty(responses[i]!));

      expect({ route: route.path, name, matches }).toEqual({
        route: route.path,
        name,
        matches: [],
      });
    }
    expect(await everything()).toEqual(before);
  });

  it(`S2: ${RECORDS.length * PAYLOADS.length} times as an id: 400`, async () => {
    const before = await everything();
    for (const route of RECORDS) {
      const body = route.operation.requestBody && JSON.stringify(BODIES[idOf(route)]!(eve));
      const responses = await pLimit(AT_ONCE).map(PAYLOADS, (payload) =>
        app.send(route.method, pathTo(route, asText(payload)), body, eve.user),
      );
      const matches = PAYLOADS.filter((_payload, i) => responses[i]!.status !== 400);

      expect({ route: idOf(route), matches }).toEqual({ route: idOf(route), matches: [] });
    }
    expect(await everything()).toEqual(before);
  });

  it(`S2: ${FIELDS.length * STRUCTURES.length} times as a value in a body: 400, and nothing is stored`, async () => {
    const before = await everything();
    for (const { route, field } of FIELDS) {
      const responses = await pLimit(AT_ONCE).map(STRUCTURES, (payload) =>
        send(route, field, payload),
      );
      const name = `${idOf(route)}.${field}`;
      const taken = STRUCTURES.filter((_payload, i) => responses[i]!.status !== 400);
      const flags = FLAGS.includes(name) ? STRUCTURES.filter((payload) => payload === true) : [];

      expect({ name, taken }).toEqual({ name, taken: flags });
    }
    expect(await everything()).toEqual(before);
  });

  it(`S2: ${FIELDS.length * TEXTS.length} times as a text in a body: rejected, or stored unchanged`, async () => {
    const [, before] = await everything();
    for (const { route, field } of FIELDS) {
      const name = `${idOf(route)}.${field}`;
      const responses = await Promise.all(TEXTS.map((payload) => send(route, field, payload)));
      const taken = TEXTS.filter((_payload, i) => !isRejection(responses[i]!));
      const statuses = responses.map(({ body }) => body?.status).filter((status) => status);

      if (!FREE_TEXT.includes(name)) expect({ name, taken }).toEqual({ name, taken: [] });
      if (['validateLicense.key', 'validateLicense.product'].includes(name)) {
        expect(new Set(statuses)).toEqual(new Set(['invalid']));
      }
    }
    const [own, after] = await everything();
    const literal = [...TEXTS, 'Web shop', 'Wiki', 'Initech', 'Acme Ltd', 'Contract ended'];
    const stored = [
      ...own!.dashboard.data.map(({ name }) => name.replace(/^Globex .*/, 'Initech')),
      ...own!.projects.map(({ name }) => name),
      ...own!.licenses.flatMap(({ revokedReason }) => revokedReason ?? []),
    ];

    expect(stored.filter((text) => !literal.includes(text) && text !== 'Reissued')).toEqual([]);
    expect(after).toEqual(before);
  });
});

const isRejection = ({ status }: HttpResponse) => status >= 400 && status < 500;

const isRejectedOrEmpty = ({ status, body }: HttpResponse) =>
  status === 400 || (status === 200 && body.data?.length === 0);
