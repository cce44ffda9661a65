import { StartupError } from '../../shared/errors/startup-error.js';
import { refuseUnfit } from './replica-set.js';

const THREE = { setName: 'rs0', hosts: ['a:27017', 'b:27017', 'c:27017'] };
const ONE = { setName: 'rs0', hosts: ['a:27017'] };

describe('refuseUnfit', () => {
  it.each([
    ['a replica set', THREE, false],
    ['a replica set of one member, connected to directly', ONE, true],
    ['a sharded cluster', { msg: 'isdbgrid' }, false],
  ])('takes %s', (_, hello, directConnection) => {
    expect(() => refuseUnfit(hello, directConnection)).not.toThrow();
  });

  it('refuses a standalone server, and says what to do', () => {
    expect(() => refuseUnfit({}, false)).toThrow(StartupError);
    expect(() => refuseUnfit({}, true)).toThrow('start mongod with --replSet');
  });

  it('refuses a direct connection to one of several members, which may become a secondary', () => {
    expect(() => refuseUnfit(THREE, true)).toThrow(StartupError);
    expect(() => refuseUnfit(THREE, true)).toThrow('directConnection=true');
  });
});
