/** The `type` of an input, by the format in the API document. */
const TYPES = { email: 'email', password: 'password', int32: 'number' };

/** The attribute of an input, by the keyword of its JSON schema. */
const ATTRIBUTES = {
  minLength: 'minLength',
  maxLength: 'maxLength',
  minimum: 'min',
  maximum: 'max',
};

/**
 * A module with `requiredRole`, the lowest role allowed for each operation, and a constant per operation of
 * the API document: the `<input>` attributes for each field of its query and body. Enumerated values become
 * `options`.
 */
export function inputsModule(document) {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const constants = operations.map((operation) => {
    const inputs = JSON.stringify(inputsOf(operation, document), null, 2);
    return `export const ${operation.operationId} = ${inputs} as const;\n`;
  });
  const roles = operations
    .filter((operation) => operation['x-required-role'])
    .map((operation) => [operation.operationId, operation['x-required-role']]);
  const requiredRole = JSON.stringify(Object.fromEntries(roles), null, 2);
  return [`export const requiredRole = ${requiredRole} as const;\n`, ...constants].join('\n');
}

function inputsOf({ parameters = [], requestBody }, document) {
  const { properties = {}, required = [] } = resolve(
    requestBody?.content['application/json'].schema ?? {},
    document,
  );
  const fields = [
    ...parameters.filter((parameter) => parameter.in === 'query'),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      schema,
      required: required.includes(name),
    })),
  ];
  return Object.fromEntries(
    fields.map(({ name, schema, required: isRequired }) => [
      name,
      { name, ...(isRequired && { required: true }), ...attributesOf(schema, document) },
    ]),
  );
}

function attributesOf(schema, document) {
  const { format, pattern, items, ...rest } = resolve(schema, document);
  const limits = Object.entries(rest).filter(([keyword]) => keyword in ATTRIBUTES);
  return {
    ...(format in TYPES && { type: TYPES[format] }),
    ...Object.fromEntries(limits.map(([keyword, value]) => [ATTRIBUTES[keyword], value])),
    ...(pattern && { pattern: forBrowsers(pattern) }),
    ...(items && { options: resolve(items, document).enum }),
  };
}

/** Browsers compile a pattern with the flag `v`, which requires a hyphen in a class to be escaped. */
function forBrowsers(pattern) {
  const escaped = pattern.replace(/(?<!\\)-\]/g, '\\-]');
  return new RegExp(escaped, 'v').source;
}

function resolve(schema, document) {
  const name = schema.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : schema;
}
