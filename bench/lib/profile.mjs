import fs from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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

function packageOf({ url, functionName, ...place }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const { source } = sourceOf({ url, ...place });
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  return name ?? 'the service';
}

function placeOf(callFrame) {
  if (callFrame.url === '') return 'native';
  const { source, line } = sourceOf(callFrame);
  return `${source.replace(/^.*\/(?:node_modules|src)\//, '')}:${line + 1}`;
}

/** The file and line, from 0, that a place in the bundle was made of. */
function sourceOf({ url, lineNumber, columnNumber }) {
  const { originalSource, originalLine } =
    sourceMapOf(url)?.findEntry(lineNumber, columnNumber) ?? {};
  return originalSource === undefined
    ? { source: url, line: lineNumber }
    : { source: originalSource, line: originalLine };
}

const sourceMaps = new Map();

function sourceMapOf(url) {
  const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
  if (!sourceMaps.has(file)) {
    const isMapped = fs.existsSync(file);
    const map = isMapped ? new SourceMap(JSON.parse(fs.readFileSync(file, 'utf8'))) : undefined;
    sourceMaps.set(file, map);
  }
  return sourceMaps.get(file);
}
