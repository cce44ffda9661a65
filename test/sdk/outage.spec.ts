import { describeIf } from './commands.js';
import { Random } from '../random.js';
import { LANGUAGES } from './languages.js';
import { meetOutages } from './outage-driver.js';
import { RunnerProcess } from './runner-process.js';
import { ScriptedService } from './scripted-service.js';

jest.setTimeout(1_800_000);
const MACHINES = Number(process.env.OUTAGE_MACHINES ?? 15);

for (const { name, missing, build } of LANGUAGES) {
  describeIf(!missing)(`R11: an outage as long as certificates last, in ${name},`, () => {
    let runner: RunnerProcess;
    let service: ScriptedService;
    beforeAll(async () => {
      runner = new RunnerProcess(build());
      service = await ScriptedService.start();
    });
    afterAll(async () => {
      await runner.stop();
      await service.stop();
    });

    it(`stops none of ${MACHINES} machines before its certificate ends, and every one when it ends`, async () => {
      const random = new Random(11);
      for (let machine = 0; machine < MACHINES; machine++) {
        const wrong = await meetOutages(runner, service, random);
        expect([machine, wrong]).toEqual([machine, []]);
      }
    });
  });
}
