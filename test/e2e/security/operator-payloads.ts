/** Values that a query language would take for a condition or a change, and JavaScript for an object. */
export const STRUCTURES: readonly unknown[] = [
  ...[{ $ne: null }, { $ne: '' }, { $gt: '' }, { $gte: '' }, { $lt: '~' }],
  ...[{ $lte: '\uffff' }, { $exists: true }, { $type: 'string' }, { $in: [null, ''] }],
  ...[{ $nin: [] }, { $not: { $eq: '' } }, { $or: [{}, { $ne: null }] }, { $regex: '.*' }],
  ...[{ $regex: '.*', $options: 'si' }, { $where: 'return true' }],
  ...[{ $expr: { $eq: [1, 1] } }, { $jsonSchema: {} }, { $elemMatch: {} }],
  ...[{ $set: { owner: '0123456789abcdef01234567' } }, { $unset: { owner: 1 } }],
  ...[{ $function: { body: 'return true', args: [], lang: 'js' } }],
  ...[{ $oid: '0123456789abcdef01234567' }, { _bsontype: 'ObjectId', id: '012345678901' }],
  ...[{ 'a.$ne': null }, { a: { b: { $gt: '' } } }],
  ...[{ length: 16, toString: 'x', valueOf: 'y' }, { constructor: { name: 'String' } }],
  ...[[], [''], [{ $ne: null }], [[{ $gt: '' }]], true],
];

/** Texts that mean something to a query language, a pattern, a shell or a careless program. */
export const TEXTS: readonly string[] = [
  ...['.*', '^', '$', '^.{1,200}$', '[a-z]*', '(a+)+$', '|', '%', '_', '*', '\\'],
  ...["' OR '1'='1", "'; DROP TABLE clients; --", '" OR ""="'],
  ...['1 UNION SELECT * FROM users', '{"$eq":1}', '{"$where":"sleep(1000)"}', '$ne'],
  ...['$where', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['[object Object]', '${7*7}', '../../etc/passwd', 'a\u0000b', 'x'.repeat(10_000)],
];

/** Forms in which a query string would give something else than one text. */
export const QUERY_FORMS: readonly ((name: string) => string)[] = [
  (name) => `${name}[$ne]=`,
  (name) => `${name}[$gt]=`,
  (name) => `${name}[$regex]=.*`,
  (name) => `${name}[]=`,
  (name) => `${name}[a][b]=c`,
  (name) => `${name}.$ne=`,
  (name) => `${name}=a&${name}=b`,
  (name) => `${name}=&${name}[$ne]=`,
];
