import { describeIf } from './commands.js';
import { reportMissingTool } from '../set-up/missing-tool.js';
import { LANGUAGES } from './languages.js';
import { type Status, useRunner } from './runner-process.js';
import { ScenarioDriver, SCENARIOS } from './scenario.js';
import { useScriptedService } from './scripted-service.js';
import { useUntrustedServer } from './untrusted-server.js';
import { judgeVector, VECTORS } from './vector-driver.js';

/** A first build may download packages. */
jest.setTimeout(600_000);
/** The id of the machine that runs the tests must not matter: a container has none. */
const CONTAINER = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };

for (const { name, missing, build, isWithoutTls } of LANGUAGES) {
  // Only here: one line, or one failure, is enough for all tests of a language.
  if (missing)
    reportMissingTool(`The SDK for ${name} is not tested without ${missing}.`, process.env);
  describeIf(!missing)(`In ${name},`, () => {
    const [runner, other] = [useRunner(build, CONTAINER), useRunner(build, CONTAINER)];
    const service = useScriptedService();
    const untrusted = useUntrustedServer();
    const scenarios = SCENARIOS.scenarios.filter(({ needsTls }) => !needsTls || !isWithoutTls);

    it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      '%s',
      (_name, scenario) =>
        ScenarioDriver.play([runner(), other()], service, untrusted.url, scenario),
    );

    it('S15: each certificate gets the verdict of its vector, with an expiry only if it is valid or has expired, and services only if it is valid', async () => {
      for (const vector of VECTORS) {
        const { validUntil: end, ...expected } = vector.expected;
        const validUntil = end && new Date(end * 1000).toISOString();
        const iso = end !== undefined && { validUntil };
        const { returns } = await judgeVector(runner(), service, vector);
        const { name } = vector;
        expect({ name, returns }).toMatchObject({ name, returns: { ...expected, ...iso } });
        const status = returns as Status;
        const isOver = ['license_expired', 'certificate_ended'].includes(status.reason!);
        const isValid = status.state === 'valid';
        expect([name, status.isValid]).toEqual([name, isValid]);
        if (isValid) expect(status.validUntil).not.toBeNull();
        if (status.validUntil !== null) {
          const isPast = Date.parse(status.validUntil) <= vector.now * 1000;
          expect([name, isValid, isPast]).toEqual([name, !isOver, isOver]);
        }
        if (!isValid) expect([...status.services, ...status.entitlements]).toEqual([]);
      }
    });
  });
}
