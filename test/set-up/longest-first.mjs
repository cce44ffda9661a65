import fs from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * Starts with the specs that run the cases of a folder, and those of the SDKs. They take longest, but are small files, with which jest
 * would end where it does not know from an earlier run how long each takes: most workers would wait for the last ones.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) =>
      /declareCasesOf|compareWithModel|describeIf|LANGUAGES|describeSdks/.test(
        fs.readFileSync(path, 'utf8'),
      );
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
