import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { EJSON, ObjectId } from 'bson';
import { mongo } from 'mongoose';
import { newStore } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { withOperator } from './processes.js';
import { prove } from './prove.js';

const ACCOUNT = 'ada@studio.example';
const DAY = 86_400_000;
/** The last release of KeyBox's own SDK, unmodified. */
const SDK = 'keybox-sdk==0.1.4';

/** A program that KeyBox licensed: it activates a license, then asks for its status, and prints both. */
const PROGRAM = `
import sys, keybox_sdk as sdk
url, key, is_installed = sys.argv[1], sys.argv[2], sys.argv[3] == "True"
licensed = dict(product_name="Shop", key=key, api_url=url)
if is_installed:
    open(".instance-id", "w").write("0123456789abcdef")
try:
    if not is_installed:
        sdk.activate_license(**licensed)
    print("STATUS", sdk.check_license_status(**licensed)["status"])
except RuntimeError as error:
    print("STATUS", error)
`;

const since = new Date(Date.now() - 30 * DAY);
const keyOf = (project: ObjectId, end: string) =>
  `LIC-${project.toHexString().toUpperCase()}-7Q2M-X0AB-${end}`;

/** The documents of a KeyBox database, with the status that its programs must see after the move. */
function keyboxDatabase() {
  const [client, project] = [new ObjectId(), new ObjectId()];
  const license = (status: string, end: string, days = 335) => ({
    ...{ _id: new ObjectId(), key: keyOf(project, end), duration: 12, issuedAt: since, status },
    ...{ expiresAt: new Date(Date.now() + days * DAY), services: ['Hosting'], client, project },
  });
  return {
    clients: [{ _id: client, name: 'Ada', email: 'ada@client.example' }],
    projects: [{ _id: project, name: 'Shop', client }],
    licenses: [
      ...[license('ACTIVE', 'AAAA'), license('PENDING', 'BBBB'), license('REVOKED', 'CCCC')],
      license('EXPIRED', 'DDDD', -1),
    ],
  };
}

/** The program's license, whether it was installed before the move, and the response of its SDK afterwards. */
const CASES: readonly (readonly [string, boolean, string])[] = [
  ['AAAA', true, 'ACTIVE'],
  ['AAAA', false, 'ACTIVE'],
  ['BBBB', true, 'PENDING'],
  ['BBBB', false, 'ACTIVE'],
  ['CCCC', true, 'REVOKED'],
  ['DDDD', true, 'EXPIRED'],
];

/** Programs with KeyBox's SDK keep running after their licenses have moved here. */
prove('R19', ['MongoDB'], (engine) =>
  withOperator(engine, { ...NO_LIMITS, LOG_LEVEL: 'silent' }, async (operator) => {
    const keybox = await mongo.MongoClient.connect(newStore('MongoDB').MONGODB_URI!);
    const database = keyboxDatabase();
    const files: string[] = [];
    try {
      for (const [name, documents] of Object.entries(database)) {
        const collection = keybox.db().collection(name);
        await collection.insertMany(documents);
        const lines = (await collection.find().toArray()).map((one) => EJSON.stringify(one));
        files.push(operator.path(`${name}.json`));
        // As mongoexport writes them.
        fs.writeFileSync(files.at(-1)!, lines.join('\n'));
      }
    } finally {
      await keybox.db().dropDatabase();
      await keybox.close();
    }
    const python = (...args: string[]) =>
      spawnSync('python3', args, {
        ...{ cwd: fs.mkdtempSync(operator.path('program-')), encoding: 'utf8' as const },
        env: { ...process.env, PYTHONPATH: operator.path('sdk') },
      });
    const install = python(
      '-m',
      'pip',
      'install',
      '--quiet',
      '--target',
      operator.path('sdk'),
      SDK,
    );
    await operator.user('create', ACCOUNT);
    const args = ['import', ...files, '--from', 'keybox', '--account', ACCOUNT];
    const { code, stdout } = await operator.command(args).ended;
    const failures = [
      ...(install.status === 0 ? [] : [`${SDK} cannot be installed: ${install.stderr}`]),
      ...(code === 0 ? [] : [stdout]),
    ];
    const { url } = await operator.start();
    for (const [end, isInstalled, expected] of CASES) {
      const key = keyOf(database.projects[0]!._id, end);
      const run = python('-c', PROGRAM, url, key, isInstalled ? 'True' : 'False');
      const [, status] = /^STATUS (.*)$/m.exec(run.stdout) ?? [undefined, run.stderr];
      if (status !== expected) failures.push(`${end}, installed ${isInstalled}: ${status}`);
    }
    return { figures: { programs: CASES.length }, failures };
  }),
);
