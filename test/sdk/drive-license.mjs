// Calls the Node SDK as it is built, and prints the results as JSON: [[method, argument...], ...] with the options.
import { License } from '../../sdk/node/dist/index.js';

const { options, calls } = JSON.parse(process.argv[2]);
const license = new License(options);
const results = [];
for (const [method, ...args] of calls) {
  try {
    results.push(await license[method](...args));
  } catch (error) {
    results.push({ error: error.code });
  }
}
console.log(JSON.stringify(results));
