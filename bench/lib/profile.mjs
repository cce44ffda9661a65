import fs from 'node:fs';
import path from 'node:path';

/**
 * Reads a folder's CPU profile: the self time of each function, and of each package.
 *
 * @param {bigint} from a time of process.hrtime.bigint(); samples before it are ignored
 * @param {number} count the number of requests after that time
 * @returns both in microseconds a request, the costliest first
 */
export function readProfile(folder, from, count) {
  const file = fs.readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  const { nodes, samples, timeDeltas, startTime } = JSON.parse(
    fs.readFileSync(path.join(folder, file)),
  );
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const functions = new Map();
  const packages = new Map();
  let now = startTime;
  samples.forEach((id, index) => {
    now += timeDeltas[index];
    if (now < Number(from / 1000n)) return;
    const { callFrame } = byId.get(id);
    if (callFrame.functionName === '(idle)' || callFrame.functionName === '(root)') return;
    const spent = timeDeltas[index] / count;
    const where = packageOf(callFrame);
    add(functions, `${callFrame.functionName || '(anonymous)'}  ${placeOf(callFrame)}`, spent);
    add(packages, where, spent);
  });
  return { functions: costliest(functions), packages: costliest(packages) };
}

const add = (map, name, spent) => map.set(name, (map.get(name) ?? 0) + spent);

const costliest = (map) => [...map].sort(([, a], [, b]) => b - a);

function packageOf({ url, functionName }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return name ?? 'the service';
}

function placeOf({ url, lineNumber }) {
  if (url === '') return 'native';
  const file = url.replace(/^.*\/(?:node_modules|dist)\//, '');
  return `${file}:${lineNumber + 1}`;
}
