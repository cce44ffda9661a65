import { StartupError } from '../../shared/errors/startup-error.js';
import { connect, rejectUnsuitable } from './connect.js';

const PASSWORD = 'correct-horse';

it.each([
  '',
  `mongodb://user:%${PASSWORD}@db.example.com`,
  `mongodb://user:${PASSWORD}@db.example.com/?unknown=${PASSWORD}`,
  `mongodb://user:${PASSWORD}@db.example.com/?w=majority&w=${PASSWORD}`,
])('connect rejects a malformed URI without repeating any part of it: %s', async (uri) => {
  const error: unknown = await connect(uri).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).toMatch(
    /^MongoDB cannot be used .+ MONGODB_URI is reachable .+\.$/,
  );
  expect((error as Error).message).not.toContain(PASSWORD);
});

describe('rejectUnsuitable', () => {
  const THREE = { setName: 'rs0', hosts: ['a:27017', 'b:27017', 'c:27017'] };

  it.each([
    ['a replica set', THREE, false],
    ['a replica set of one member, connected to directly', { ...THREE, hosts: ['a:27017'] }, true],
    ['a sharded cluster', { msg: 'isdbgrid' }, false],
  ])('accepts %s', (_, hello, directConnection) => {
    expect(() => rejectUnsuitable(hello, directConnection)).not.toThrow();
  });

  it('rejects a standalone server, and a direct connection to one of several members, which may become a secondary', () => {
    expect(() => rejectUnsuitable({}, true)).toThrow('Start mongod with --replSet');
    expect(() => rejectUnsuitable(THREE, true)).toThrow(StartupError);
    expect(() => rejectUnsuitable(THREE, true)).toThrow('directConnection=true');
  });
});
