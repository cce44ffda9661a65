import { StartupError } from '../../../shared/errors/startup-error.js';
import { rejectUnfit } from './replica-set.js';

const THREE = { setName: 'rs0', hosts: ['a:27017', 'b:27017', 'c:27017'] };
const ONE = { setName: 'rs0', hosts: ['a:27017'] };

describe('rejectUnfit', () => {
  it.each([
    ['a replica set', THREE, false],
    ['a replica set of one member, connected to directly', ONE, true],
    ['a sharded cluster', { msg: 'isdbgrid' }, false],
  ])('accepts %s', (_, hello, directConnection) => {
    expect(() => rejectUnfit(hello, directConnection)).not.toThrow();
  });

  it('rejects a standalone server, and says what to do', () => {
    expect(() => rejectUnfit({}, false)).toThrow(StartupError);
    expect(() => rejectUnfit({}, true)).toThrow('start mongod with --replSet');
  });

  it('rejects a direct connection to one of several members, which may become a secondary', () => {
    expect(() => rejectUnfit(THREE, true)).toThrow(StartupError);
    expect(() => rejectUnfit(THREE, true)).toThrow('directConnection=true');
  });
});
