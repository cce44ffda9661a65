import { StartupError } from '../../../shared/errors/startup-error.js';
import { requireFullGuarantees } from './mongo-uri.js';

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
    ['w=1', 'w=majority'],
    ['w=2', 'w=majority'],
    ['w=two-data-centres', 'w=majority'],
    ['W=1', 'w=majority'],
    ['journal=false', 'journal=true'],
    ['w=majority&journal=false', 'journal=true'],
    ['j=false', 'journal=true'],
    ['readConcernLevel=available', 'readConcernLevel=majority'],
    ['readConcernLevel=local', 'readConcernLevel=majority'],
    ['readConcernLevel=linearizable', 'readConcernLevel=majority'],
    ['readPreference=primaryPreferred', 'readPreference=primary'],
    ['readPreference=secondary', 'readPreference=primary'],
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
    'localhost:27017',
    `postgres://user:${PASSWORD}@db.example.com/licenses`,
    `mongodb://user:${PASSWORD}@`,
    `mongodb://user:a/${PASSWORD}@db.example.com`,
    `mongodb://user:a?${PASSWORD}@db.example.com`,
    `mongodb://user:a@${PASSWORD}@db.example.com`,
    `mongodb://user:%${PASSWORD}@db.example.com`,
    `mongodb://user:${PASSWORD}@db.example.com:99999`,
    `mongodb://user:${PASSWORD}@db.example.com/?unknown=${PASSWORD}`,
    `mongodb://user:${PASSWORD}@db.example.com/?w=majority&w=1`,
    `mongodb://user:${PASSWORD}@db.example.com/?readPreference=${PASSWORD}`,
    `mongodb+srv://user:${PASSWORD}@a.example.com,b.example.com`,
  ])('rejects a malformed URI, and repeats no part of it: %s', (uri) => {
    const check = () => requireFullGuarantees(uri);
    expect(check).toThrow(StartupError);
    expect(check).toThrow(/^MONGODB_URI cannot be read: .+\.$/);
    expect(check).not.toThrow(PASSWORD);
  });
});
