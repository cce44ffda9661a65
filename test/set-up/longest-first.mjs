import fs from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Of a folder's cases, then of the SDKs, the built program, or a model of the store. */
const LONGEST = [
  /declareCasesOf/,
  /compareWithModel|describeIf|LANGUAGES|describeSdks|useOperator|itIsLicensed/,
];

/**
 * Starts with the specs that take longest. They are small files, and unless it knows how long each one took in an earlier run, jest
 * would start them last: most workers would wait for the last ones.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const text = fs.readFileSync(path, 'utf8');
      const rank = LONGEST.findIndex((pattern) => pattern.test(text));
      return rank < 0 ? LONGEST.length : rank;
    };
    const ranks = new Map(tests.map((test) => [test, rankOf(test)]));
    return super.sort(tests).toSorted((a, b) => ranks.get(a) - ranks.get(b));
  }
}
