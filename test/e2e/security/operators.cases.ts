import pLimit from 'p-limit';
import type { Route } from '../../document/openapi-document.js';
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
  fieldsOf(route).map((field) => ({ route, field, name: `${idOf(route)}.${field}` })),
);
const PARAMETERS = ROUTES.flatMap((route) =>
  (route.operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => ({ route, name })),
);
const RECORDS = ROUTES.filter(recordOf);

/** Where any text may be sent, and what becomes of it: it is kept as it is, or compared as it is. */
const FREE_TEXT = [
  ...['register.name', 'register.password', 'logout.refreshToken', 'revokeLicense.reason'],
  ...['createClient.name', 'updateClient.name', 'createProject.projectName', 'updateProject.name'],
  ...['createProject.product', 'updateProject.product', 'activateLicense.fingerprint'],
  ...['validateLicense.fingerprint', 'validateLicense.key', 'validateLicense.product'],
  'issueCertificate.fingerprint',
];

/** Fields that accept `true`, which is among the structures. */
const FLAGS = ['rotateSigningKeys.compromised'];

describe('Operators in requests', () => {
  const app = useApp();
  let eve: World;
  let victim: World;
  let before: Awaited<ReturnType<typeof everythingOf>>[];

  const everything = () => Promise.all([eve, victim].map(({ user }) => everythingOf(app, user)));

  beforeAll(async () => {
    eve = await createWorld(app, { isActive: false });
    victim = await createWorld(app, { isActive: false });
    before = await everything();
  });

  const send = (route: Route, field: string, payload: unknown) => {
    // A wrong password and a wrong key, so that the session and the keys stay.
    const wrong = { currentPassword: 'not the right one', current: 'k'.repeat(43) };
    const base = { ...BODIES[idOf(route)]!(eve), ...wrong };
    const body = JSON.stringify({ ...base, [field]: payload });
    return app.send(route.method, pathTo(route, eve), body, eve.user);
  };
  /** The values whose response does not fit. */
  const matchesOf = async <T>(
    values: readonly T[],
    request: (value: T) => Promise<HttpResponse>,
    fits: (response: HttpResponse) => boolean,
  ) => {
    const responses = await pLimit(AT_ONCE).map(values, request);
    return values.filter((_value, i) => !fits(responses[i]!));
  };
  const is400 = ({ status }: HttpResponse) => status === 400;

  it('are 60 different ones', () => {
    expect(new Set([...payloads.STRUCTURES, ...payloads.TEXTS].map(asText)).size).toBe(60);
  });

  it(`S2: ${PARAMETERS.length * (PAYLOADS.length + payloads.QUERY_FORMS.length)} times in a query: 400 or an empty list`, async () => {
    for (const { route, name } of PARAMETERS) {
      const queries = [
        ...PAYLOADS.map((payload) => `${name}=${encodeURIComponent(asText(payload))}`),
        ...payloads.QUERY_FORMS.map((form) => form(name)),
      ];
      const matches = await matchesOf(
        queries,
        (query) => app.get(`${pathTo(route, eve)}?${query}`, eve.user),
        (response) => is400(response) || response.body.data?.length === 0,
      );
      expect([route.path, name, matches]).toEqual([route.path, name, []]);
    }
  });

  it(`S2: ${RECORDS.length * PAYLOADS.length} times as an id: 400`, async () => {
    for (const route of RECORDS) {
      const body = route.operation.requestBody && JSON.stringify(BODIES[idOf(route)]!(eve));
      const matches = await matchesOf(
        PAYLOADS,
        (payload) => app.send(route.method, pathTo(route, asText(payload)), body, eve.user),
        is400,
      );
      expect([idOf(route), matches]).toEqual([idOf(route), []]);
    }
  });

  it(`S2: ${FIELDS.length * STRUCTURES.length} times as a value in a body: 400, and nothing is stored`, async () => {
    for (const { route, field, name } of FIELDS) {
      const taken = await matchesOf(STRUCTURES, (payload) => send(route, field, payload), is400);
      const flags = FLAGS.includes(name) ? STRUCTURES.filter((payload) => payload === true) : [];
      expect([name, taken]).toEqual([name, flags]);
    }
    expect(await everything()).toEqual(before);
  });

  it(`S2: ${FIELDS.length * TEXTS.length} times as a text in a body: rejected, or stored unchanged`, async () => {
    for (const { route, field, name } of FIELDS) {
      const isRejected = ({ status, body }: HttpResponse) =>
        (status >= 400 && status < 500) || body?.status === 'invalid';
      const taken = await matchesOf(TEXTS, (payload) => send(route, field, payload), isRejected);
      if (!FREE_TEXT.includes(name)) expect([name, taken]).toEqual([name, []]);
      if (/^validateLicense.(key|product)$/.test(name)) expect([name, taken]).toEqual([name, []]);
    }
    const [own, after] = await everything();
    const literal = [...TEXTS, 'Web shop', 'Wiki', 'Initech', 'Acme Ltd', 'Contract ended'];
    const stored = [
      ...own!.dashboard.data.map(({ name }) => name.replace(/^Globex .*/, 'Initech')),
      ...own!.projects.map(({ name }) => name),
      ...own!.licenses.flatMap(({ revokedReason }) => revokedReason ?? []),
    ];

    expect(stored.filter((text) => !literal.includes(text) && text !== 'Reissued')).toEqual([]);
    expect(after).toEqual(before[1]);
  });
});
