import { StartupError } from '../../../shared/errors/startup-error.js';
import { requireFullGuarantees } from './mongo-uri.js';
import { rejectUnfit } from './replica-set.js';

const PASSWORD = 'correct-horse';
const SERVER = `mongodb://user:${PASSWORD}@db.example.com:27017/licenses?replicaSet=rs0`;

describe('requireFullGuarantees', () => {
  it.each([
    SERVER,
    `${SERVER}&w=majority&journal=true&readConcernLevel=majority&readPreference=primary&retryWrites=true`,
    `${SERVER}&j=true&retryReads=false&maxPoolSize=5&appName=licenses&serverSelectionTimeoutMS=1`,
    `mongodb+srv://user:${PASSWORD}@cluster.example.com/licenses?retryWrites=true&w=majority`,
    'mongodb://a.example.com,b.example.com:27018/?tls=true',
    'mongodb://127.0.0.1/?directConnection=true',
  ])('accepts a URI that weakens no guarantee: %s', (uri) => {
    expect(() => requireFullGuarantees(uri)).not.toThrow();
  });

  it.each([
    ['w=0', 'w=majority'],
    ['W=1', 'w=majority'],
    ['journal=false', 'journal=true'],
    ['j=false', 'journal=true'],
    ['readConcernLevel=local', 'readConcernLevel=majority'],
    ['readPreference=nearest&readPreferenceTags=dc:east', 'readPreference=primary'],
    ['retryWrites=false', 'retryWrites=true'],
  ])('rejects %s, and names %s as the remedy', (option, remedy) => {
    const check = () => requireFullGuarantees(`${SERVER}&${option}`);
    expect(check).toThrow(StartupError);
    expect(check).toThrow(`set ${remedy} there`);
    expect(check).not.toThrow(PASSWORD);
  });

  it.each([
    '',
    `mongodb://user:%${PASSWORD}@db.example.com`,
    `mongodb://user:${PASSWORD}@db.example.com/?unknown=${PASSWORD}`,
    `mongodb://user:${PASSWORD}@db.example.com/?w=majority&w=1`,
    `mongodb://user:${PASSWORD}@db.example.com/?readPreference=${PASSWORD}`,
  ])('rejects a malformed URI, and repeats no part of it: %s', (uri) => {
    const check = () => requireFullGuarantees(uri);
    expect(check).toThrow(StartupError);
    expect(check).toThrow(/^MONGODB_URI cannot be read: .+\.$/);
    expect(check).not.toThrow(PASSWORD);
  });
});

describe('rejectUnfit', () => {
  const THREE = { setName: 'rs0', hosts: ['a:27017', 'b:27017', 'c:27017'] };

  it.each([
    ['a replica set', THREE, false],
    ['a replica set of one member, connected to directly', { ...THREE, hosts: ['a:27017'] }, true],
    ['a sharded cluster', { msg: 'isdbgrid' }, false],
  ])('accepts %s', (_, hello, directConnection) => {
    expect(() => rejectUnfit(hello, directConnection)).not.toThrow();
  });

  it('rejects a standalone server, and a direct connection to one of several members, which may become a secondary', () => {
    expect(() => rejectUnfit({}, true)).toThrow('start mongod with --replSet');
    expect(() => rejectUnfit(THREE, true)).toThrow(StartupError);
    expect(() => rejectUnfit(THREE, true)).toThrow('directConnection=true');
  });
});
