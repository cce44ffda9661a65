import fs from 'node:fs';
import path from 'node:path';
import { CustomerMachine } from './customer-machine.js';
import { expectRejection, NOWHERE } from './expectations.js';
import { describePrograms, describeWithPython, NODE, PYTHON } from './programs.js';
import { ACTIVE, ScriptedService } from './scripted-service.js';

let service: ScriptedService;

beforeEach(async () => {
  service = await ScriptedService.start(ACTIVE);
});
afterEach(() => service.stop());

const fingerprints = () => service.asked.map(({ body }) => body.fingerprint);

describePrograms('A shipped program, on the machine of a customer,', (program) => {
  let machine: CustomerMachine;
  let other: CustomerMachine;

  beforeEach(() => {
    machine = new CustomerMachine(program);
    other = new CustomerMachine(program);
  });
  afterEach(() => [machine, other].forEach((each) => each.leave()));

  describe('sends a fingerprint', () => {
    it('that is the same at each start, and does not tell the id of the system', async () => {
      await machine.start(service.url);
      machine.setId(machine.id.toUpperCase().replace(/^(.{8})(.{4})/, '$1-$2-'));
      await machine.start(service.url);
      await other.start(service.url);

      const [first, second, others] = fingerprints();
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(second).toBe(first);
      expect(others).not.toBe(first);
      expect(fs.existsSync(machine.file('machine-id'))).toBe(false);
    });

    it.each([
      ['is empty', ''],
      ['is not set yet', 'uninitialized\n'],
      ['is all zeros', '0'.repeat(32)],
      ['is a constant of firmware', '03000200-0400-0500-0006-000700080009'],
      ['is an example', '0123456789abcdef0123456789abcdef\n'],
      ['is too short', '3d1219c7c4c5404aaa1f6d2a48adfda'],
    ])('of its own where the id of the system %s', async (_case, id) => {
      for (const each of [machine, other, machine]) {
        each.setId(id);
        expect((await each.start(service.url)).code).toBe(0);
      }

      const [first, others, again] = fingerprints();
      expect(others).not.toBe(first);
      expect(again).toBe(first);
      expect(fs.readFileSync(machine.file('machine-id'), 'utf8')).toMatch(/^[0-9a-f]{32}$/);
    });

    it('of its own in a container, whose id is that of the image', async () => {
      const container = { MACHINE_ID_FILE: '', KUBERNETES_SERVICE_HOST: '10.0.0.1' };
      await machine.start(service.url, container);
      await other.start(service.url, container);

      expect(new Set(fingerprints()).size).toBe(2);
    });

    it('that several first starts at once agree on', async () => {
      machine.setId('');
      await Promise.all([1, 2, 3, 4].map(() => machine.start(service.url)));

      expect(fingerprints()).toHaveLength(4);
      expect(new Set(fingerprints()).size).toBe(1);
    });
  });

  describe('keeps its state', () => {
    it('for its owner alone, with nothing beside it', async () => {
      machine.setId('');
      await machine.start(service.url);
      await machine.start(service.url);

      const mode = (file: string) => fs.statSync(file).mode & 0o777;
      expect(fs.readdirSync(machine.stateFolder).sort()).toEqual(['license.json', 'machine-id']);
      expect(mode(machine.stateFolder)).toBe(0o700);
      expect(mode(machine.file('license.json'))).toBe(0o600);
      expect(mode(machine.file('machine-id'))).toBe(0o600);
    });

    it('without the license key', async () => {
      await machine.start(service.url);

      expect(fs.readFileSync(machine.file('license.json'), 'utf8')).not.toContain('LIC-');
    });

    it('by putting a whole file into the place of the last', async () => {
      await machine.start(service.url);
      const before = fs.readFileSync(machine.file('license.json'), 'utf8');
      fs.linkSync(machine.file('license.json'), machine.file('same-file'));
      await machine.start(service.url);

      expect(fs.readFileSync(machine.file('same-file'), 'utf8')).toBe(before);
      expect(fs.readFileSync(machine.file('license.json'), 'utf8')).not.toBe(before);
    });

    it('or says that it cannot, and runs', async () => {
      const LICENSE_STATE_DIR = path.join(program.file, 'state');
      const { code, stdout } = await machine.start(service.url, { LICENSE_STATE_DIR });

      expect(code).toBe(0);
      expect(stdout).toMatch(/^Licensed until .+ \(LICENSE_STATE_DIR cannot be written: .+\.\)\n$/);
    });
  });

  describe('does not start', () => {
    const missing = { MACHINE_ID_FILE: '/missing' };

    it.each<[string, NodeJS.ProcessEnv]>([
      ['LICENSE_SERVICE_URL', { LICENSE_SERVICE_URL: undefined }],
      ['LICENSE_SERVICE_URL', { LICENSE_SERVICE_URL: 'licenses.example' }],
      ['LICENSE_SERVICE_URL', { LICENSE_SERVICE_URL: 'file:///etc/passwd' }],
      ['LICENSE_KEY', { LICENSE_KEY: ' ' }],
      ['LICENSE_STATE_DIR', { LICENSE_STATE_DIR: '' }],
      ['LICENSE_STATE_DIR', { ...missing, LICENSE_STATE_DIR: path.join(program.file, 'state') }],
      ['LICENSE_TIMEOUT_MS', { LICENSE_TIMEOUT_MS: '5s' }],
      ['LICENSE_BACKOFF_MS', { LICENSE_BACKOFF_MS: '-1' }],
    ])('without a right %s: %j', async (name, env) => {
      expectRejection(await machine.start(service.url, env), 2, name);
      expect(service.asked).toEqual([]);
    });

    it('with a damaged id of its own', async () => {
      machine.setId('');
      await machine.start(NOWHERE);
      fs.writeFileSync(machine.file('machine-id'), '');

      expectRejection(await machine.start(service.url), 2, machine.file('machine-id'), 'restore');
    });
  });
});

describeWithPython('Both programs on one machine', () => {
  it.each(['an id of its system', 'an id of their own'])(
    'send one fingerprint from %s',
    async (id) => {
      const machine = new CustomerMachine(NODE);
      if (id === 'an id of their own') machine.setId('');
      try {
        await machine.start(service.url, {}, NODE);
        await machine.start(service.url, {}, PYTHON);
      } finally {
        machine.leave();
      }

      expect(new Set(fingerprints()).size).toBe(1);
    },
  );
});
