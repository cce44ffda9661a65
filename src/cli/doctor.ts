import fs from 'node:fs';
import path from 'node:path';
import { requireUsable } from '../shared/config/data-folder.js';
import { warnOfLookAlikes } from '../shared/config/dot-env.js';
import { type Environment, readEnvironment } from '../shared/config/environment.js';
import { keptSecret, secretFile } from '../shared/config/generated-secret.js';
import { loadConfig } from '../shared/config/load-config.js';
import { limitConnections } from '../shared/config/open-files.js';
import { opensDataKeys } from '../shared/sealing/data-keys.js';
import { VERSION } from '../shared/version.js';
import { inspectStore } from '../storage/sqlite/maintenance.js';
import { describeFailure } from './command-error.js';
import { megabytes } from './megabytes.js';

/** The minimum free disk space in bytes before the doctor warns. */
const LOW_SPACE = 1e9;

/** The doctor's findings, one per line. */
export interface Findings {
  readonly lines: readonly string[];
  readonly isHealthy: boolean;
}

type Finding = readonly ['ok' | 'note' | 'warning' | 'problem', string];

/** Checks the configuration, the secrets and the store as the service would find them. */
export async function examine(env = process.env): Promise<Findings> {
  const findings: Finding[] = [['ok', `version ${VERSION}, Node ${process.version}`]];
  try {
    const variables = readEnvironment(env);
    const warnings = [
      ...warnOfLookAlikes(env),
      ...limitConnections(variables.MAX_CONNECTIONS).warnings,
    ];
    findings.push(['ok', 'every variable has a valid value'], ...warnings.map(toWarning));
    findings.push(
      ...(variables.MONGODB_URI ? await examineDatabase(variables, env) : examineFolder(variables)),
    );
  } catch (error) {
    findings.push(['problem', describeFailure(error)]);
  }
  return {
    lines: findings.map(([kind, text]) => `${kind.padEnd(8)} ${text}`),
    isHealthy: findings.every(([kind]) => kind !== 'problem'),
  };
}

const toWarning = (text: string): Finding => ['warning', text];

/** @throws StartupError if a secret is missing, or the database cannot be used */
async function examineDatabase(variables: Environment, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { dataDir } = loadConfig(env);
  const { inspectDatabase } = await import('../storage/mongo/inspect-database.js');
  const { name, isPrepared, dataKeys } = await inspectDatabase(String(variables.MONGODB_URI));
  if (!isPrepared) return [['note', `the database ${name} is empty: the first start prepares it`]];
  return [
    ['ok', `MongoDB is reachable and has the database ${name}`],
    ...examineSecrets(variables, dataDir, dataKeys),
  ];
}

function examineFolder(variables: Environment): Finding[] {
  const dataDir = path.resolve(variables.DATA_DIR);
  requireUsable(dataDir);
  const store = inspectStore(dataDir);
  if (!store) return [['note', `there is no store in ${dataDir}: the first start creates it`]];
  const { bavail, bsize } = fs.statfsSync(dataDir);
  const sizes = `${megabytes(store.bytes)}, with ${megabytes(bavail * bsize)} free on its disk`;
  return [
    [bavail * bsize < LOW_SPACE ? 'warning' : 'ok', `the store ${store.file} has ${sizes}`],
    ...examineSecrets(variables, dataDir, store.dataKeys),
  ];
}

/** Reports which secret opens the store, and what is left to do after a rotation. */
function examineSecrets(
  variables: Environment,
  dataDir: string,
  wrapped: string | undefined,
): Finding[] {
  const kept = secretFile(dataDir, 'LICENSE_SECRET');
  const inFile = keptSecret(dataDir, 'LICENSE_SECRET');
  const current = variables.LICENSE_SECRET ?? inFile;
  const source = variables.LICENSE_SECRET ? 'the variable LICENSE_SECRET' : kept;
  if (wrapped === undefined) return [['note', 'the store has no data keys yet']];
  if (current === undefined) {
    return [
      [
        'problem',
        `${kept} is missing. Restore it or set LICENSE_SECRET. A new secret cannot open this store`,
      ],
    ];
  }
  const former = variables.LICENSE_SECRET_PREVIOUS;
  if (opensDataKeys(wrapped, current)) {
    const findings: Finding[] = [['ok', `${source} opens the store`]];
    if (former) findings.push(['note', 'the rotation is complete. Unset LICENSE_SECRET_PREVIOUS']);
    if (variables.LICENSE_SECRET && inFile && inFile !== current) {
      findings.push([
        'note',
        `${kept} contains an earlier secret that is no longer used. Keep it only as long as backups need it`,
      ]);
    }
    return findings;
  }
  if (former && opensDataKeys(wrapped, former)) {
    return [
      [
        'note',
        'LICENSE_SECRET_PREVIOUS opens the store, and the next start completes the rotation',
      ],
    ];
  }
  const isInFile = inFile !== undefined && opensDataKeys(wrapped, inFile);
  const remedy = isInFile
    ? `${kept} does. To rotate, set LICENSE_SECRET_PREVIOUS to its content`
    : 'set the secret that the store was created with';
  return [['problem', `${source} does not open the store: ${remedy}`]];
}
