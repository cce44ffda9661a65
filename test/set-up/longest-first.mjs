import fs from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * Runs the slowest specs first: those that declare the cases of folders, test the SDKs or start the built program. Without timings from
 * an earlier run, jest sorts by file size and would run these small files last, while the other workers wait.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) =>
      /declareCasesOf|compareWithModel|describeIf|LANGUAGES|describeSdks|useOperator/.test(
        fs.readFileSync(path, 'utf8'),
      );
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
