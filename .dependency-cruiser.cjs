const FEATURES =
  'auth|bin|links|mail|clients|portal|projects|plans|machines|licenses|imports|events|webhooks|customer-mail|certificates|activation|dashboard|search|health|monitoring';
/** The store as everybody uses it, without its engines. */
const PORT = '^src/storage/(?!storage\\.module|copy-to-mongo)[a-z-]+\\.ts$';
/** The files that declare kinds of records. */
const RECORDS = `^src/(${FEATURES})/(|accounts/|sessions/|api-keys/|members/|signing-keys/)(user|session|api-key|invitation|binned|client|portal|portal-session|project|project-task|plan|machine|machine-key|license|event|webhook|delivery|signing-keys|link|link-request|mail|mail-template)\\.ts$`;

/** Who may import whom: docs/contribute/architecture.md. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-knows-neither-features-nor-the-server',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: {
        path: `^src/(${FEATURES}|storage|cli|http|openapi)/`,
        pathNot: ['^src/auth/principal\\.ts$', '^src/openapi/decorators/', PORT],
      },
    },
    {
      name: 'the-server-knows-no-feature',
      severity: 'error',
      from: { path: '^src/http/' },
      to: {
        path: `^src/(${FEATURES}|storage|cli|openapi)/`,
        pathNot: '^src/auth/principal\\.ts$',
      },
    },
    {
      name: 'metrics-and-limits-know-no-feature',
      severity: 'error',
      from: { path: '^src/(metrics|limits)/' },
      to: {
        path: `^src/(${FEATURES}|storage|cli|openapi)/`,
        pathNot: '^src/auth/principal\\.ts$',
      },
    },
    {
      name: 'openapi-knows-no-feature',
      severity: 'error',
      from: { path: '^src/openapi/' },
      to: {
        path: `^src/(${FEATURES}|storage|cli)/`,
        pathNot: '^src/auth/(auth\\.decorators|access/operations)\\.ts$',
      },
    },
    {
      name: 'storage-and-cli-know-nothing-of-http',
      severity: 'error',
      from: { path: '^src/(storage|cli)/' },
      to: {
        path: '^src/(http|openapi|limits)/',
        pathNot: '^src/limits/(rate-limits|memory-rate-limits)\\.ts$',
      },
    },
    {
      name: 'only-the-application-imports-more-than-the-port',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(storage/|cli/|app\\.module\\.ts$)' },
      to: { path: '^src/storage/', pathNot: PORT },
    },
    {
      name: 'features-commit-through-decisions',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/storage/' },
      to: { path: '^src/storage/writable-store\\.ts$' },
    },
    {
      name: 'only-the-application-knows-every-kind-of-record',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/|app\\.module\\.ts$)' },
      to: { path: '^src/collections\\.ts$' },
    },
    {
      name: 'storage-knows-no-feature',
      severity: 'error',
      from: { path: '^src/storage/' },
      to: { path: `^src/(${FEATURES}|console|cli)/` },
    },
    {
      name: 'storage-has-its-engines-behind-its-module',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/storage/(storage\\.module\\.ts$|copy-to-mongo\\.ts$|mongo/|sqlite/)',
      },
      to: {
        path: '^src/storage/(mongo|sqlite)/',
        pathNot: '^src/storage/(sqlite/(backup|maintenance)|mongo/inspect-database)\\.ts$',
      },
    },
    {
      name: 'health-imports-only-the-decorators-of-auth',
      severity: 'error',
      from: { path: '^src/health/' },
      to: { path: '^src/(clients|projects|licenses|certificates|activation|dashboard)/' },
    },
    {
      name: 'src-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|sdk/node/tests)/' },
    },
    {
      name: 'src-does-not-import-development-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'auth-imports-no-business-feature',
      severity: 'error',
      from: { path: '^src/auth/' },
      to: { path: '^src/(clients|projects|licenses|certificates|activation|dashboard|health)/' },
    },
    {
      name: 'licenses-import-machines-and-plans',
      severity: 'error',
      from: { path: '^src/licenses/' },
      to: {
        path: `^src/(${FEATURES})/`,
        // A license is issued by a plan.
        pathNot: [
          ...['^src/licenses/', '^src/auth/', '^src/machines/', RECORDS],
          '^src/plans/plans\\.(service|module)',
          // The history of a license is a part of the log.
          '^src/events/',
        ],
      },
    },
    {
      name: 'machines-import-records-alone',
      severity: 'error',
      from: { path: '^src/machines/' },
      to: { path: `^src/(${FEATURES})/`, pathNot: ['^src/machines/', RECORDS] },
    },
    {
      name: 'clients-import-projects',
      severity: 'error',
      from: { path: '^src/clients/' },
      to: { path: '^src/(certificates|activation|dashboard|health)/', pathNot: RECORDS },
    },
    {
      name: 'projects-import-licenses-and-plans',
      severity: 'error',
      from: { path: '^src/projects/' },
      to: { path: '^src/(clients|certificates|activation|dashboard|health)/', pathNot: RECORDS },
    },
    {
      name: 'certificates-imports-licenses-alone',
      severity: 'error',
      from: { path: '^src/certificates/' },
      to: { path: '^src/(clients|projects|activation|dashboard|health)/', pathNot: RECORDS },
    },
    {
      name: 'activation-imports-licenses-and-certificates',
      severity: 'error',
      from: { path: '^src/activation/' },
      to: { path: '^src/(clients|projects|dashboard|health)/', pathNot: RECORDS },
    },
    {
      name: 'events-import-the-decorators-of-auth-alone',
      severity: 'error',
      from: { path: '^src/events/' },
      to: {
        path: `^src/(${FEATURES})/`,
        pathNot: ['^src/events/', '^src/auth/(auth\\.decorators|principal)\\.ts$'],
      },
    },
    {
      name: 'dashboard-imports-what-it-shows',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: { path: '^src/(certificates|activation|health)/', pathNot: RECORDS },
    },
    {
      name: 'only-the-application-imports-the-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(console/|app\\.module\\.ts$)' },
      to: { path: '^src/console/' },
    },
    {
      name: 'the-console-imports-auth-alone',
      severity: 'error',
      from: { path: '^src/console/' },
      to: {
        path: '^src/(clients|projects|licenses|certificates|activation|dashboard|health|storage|cli)/',
      },
    },
    {
      name: 'features-take-only-the-decorators-of-auth',
      severity: 'error',
      from: { path: '^src/(clients|projects|licenses|certificates|activation|dashboard|health)/' },
      to: {
        path: '^src/auth/',
        pathNot: [
          '/(auth\\.decorators|principal|with-live-access|auth\\.module|step-up\\.service|factor\\.dto|password\\.decorators)\\.ts$',
          RECORDS,
        ],
      },
    },
    {
      name: 'controllers-and-requests-stay-inside',
      severity: 'error',
      from: { path: `^src/(${FEATURES})/` },
      to: {
        path: `^src/(${FEATURES})/(.*\\.controller\\.ts|dto/.*\\.dto\\.ts)$`,
        // Whatever issues licenses takes their terms.
        pathNot: ['^src/$1/', '^src/licenses/dto/license\\.dto\\.ts$'],
      },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: {
        path: [
          RECORDS,
          '^src/activation/decisions\\.ts$',
          '/(operations|member|license-query|license-transitions|license-terms|machine|seat|term|certificate|deployment|idempotency-record|password-policy|session|search-form|calendar|cursor)\\.ts$',
        ],
      },
      to: {
        path: '^node_modules/(@nestjs|mongoose|@photostructure)|^src/storage/',
        pathNot: '^src/storage/(collection|changes|filter)\\.ts$',
      },
    },
    {
      name: 'metrics-are-counted-through-their-port',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/metrics/prometheus-metrics\\.ts$' },
      to: { path: '^node_modules/prom-client' },
    },
    {
      name: 'one-engine-knows-nothing-of-the-other',
      severity: 'error',
      from: { path: '^src/storage/(mongo|sqlite)/' },
      to: { path: '^src/storage/(mongo|sqlite)/', pathNot: '^src/storage/$1/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsPreCompilationDeps: true,
  },
};
