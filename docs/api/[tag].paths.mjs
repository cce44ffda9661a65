import fs from 'node:fs';

const DOCUMENT = new URL('../../openapi.json', import.meta.url);
const { paths, tags, components } = JSON.parse(fs.readFileSync(DOCUMENT, 'utf8'));

const slugOf = (tag) => tag.replaceAll(' ', '-');
const cell = (text = '') =>
  text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('{{', '{ {');

/** Of the navigation: each tag of the API document. */
export const API_PAGES = tags.map(({ name }) => ({
  text: name[0].toUpperCase() + name.slice(1),
  link: `/api/${slugOf(name)}`,
}));

export default {
  paths: () => tags.map((tag) => ({ params: { tag: slugOf(tag.name) }, content: pageOf(tag) })),
};

function pageOf({ name, description }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(name))
      .map(([method, operation]) => operationOf(method, path, operation)),
  );
  return `# API: ${name}\n\n${description}.\n\n${operations.join('\n')}`;
}

function operationOf(method, path, operation) {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const role = operation['x-required-role'];
  const scopes = operation['x-required-scope'] ?? [];
  const access = role
    ? `Role \`${role}\`; ${scopes.length > 0 ? `scopes \`${scopes.join('`, `')}\`` : 'no API key'}.`
    : 'No credentials.';
  const fields = [
    ...parameters.map((each) => ({ ...each, ...each.schema, description: each.description })),
    ...fieldsOf(requestBody),
  ];
  const statuses = Object.keys(responses).map((status) => `\`${status}\``);
  return [
    `## ${summary}\n`,
    `\`${method.toUpperCase()} ${path}\`\n`,
    `${description ?? ''}\n`,
    `${access} Responses: ${statuses.join(', ')}.\n`,
    ...(fields.length > 0 ? [tableOf(fields)] : []),
  ].join('\n');
}

function fieldsOf(requestBody) {
  const reference = requestBody?.content?.['application/json']?.schema?.$ref;
  const schema = reference && components.schemas[reference.split('/').at(-1)];
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    ...field,
    name,
    in: 'body',
    required: schema.required?.includes(name),
  }));
}

function tableOf(fields) {
  const rows = fields.map(({ name, in: place, type, required, description }) => {
    const kind = `${type ?? 'text'}${required ? ', required' : ''}`;
    return `| \`${name}\` | ${place} | ${kind} | ${cell(description)} |`;
  });
  return ['| field | in | type | meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}
