// Renders docs/guides/error-codes.md from the error table.
const HEAD = `# Error codes

Look up any code that the API returns, and tell which errors are worth a retry.

Every error has the same shape. Branch on \`code\`: it never changes. Show or log \`message\`; its wording may change. \`requestId\` finds
the request in the service's log.

\`\`\`json
{
  "message": "License has been revoked",
  "code": "LICENSE_REVOKED",
  "requestId": "0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55"
}
\`\`\`

Retry 429 and 503 after the seconds in \`Retry-After\`, and 500 with the same \`Idempotency-Key\`. Any other request, repeated unchanged,
gets the same error. New codes may be added: if you do not know a code, go by its status.
[Troubleshooting](troubleshooting.md) says what to tell a customer.

\`npm run docs:errors\` writes this page.
`;

const TITLES = {
  400: 'Invalid request',
  401: 'Not authenticated',
  403: 'Denied',
  404: 'Not found',
  408: 'Timeout',
  409: 'Conflict with the current state',
  413: 'Too large',
  415: 'Wrong media type',
  422: 'Idempotency key reused',
  429: 'Rate limited',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Temporarily unavailable',
};

/** @param errors the table of src/shared/errors/error-codes.ts */
export function errorPage(errors) {
  const statuses = [...new Set(Object.values(errors).map(({ status }) => status))];
  const sections = statuses
    .toSorted((one, other) => one - other)
    .map((status) => {
      const rows = Object.entries(errors).filter(([, error]) => error.status === status);
      return `\n## ${status}: ${TITLES[status]}\n\n${tableOf(rows)}`;
    });
  return HEAD + sections.join('');
}

/** Matches the formatter's table layout. */
function tableOf(rows) {
  const cells = [
    ['code', 'message', 'details'],
    ...rows.map(([code, { message, details = '' }]) => [`\`${code}\``, message, details]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...body] = cells.map(line);
  return `${[head, rule, ...body].join('\n')}\n`;
}
