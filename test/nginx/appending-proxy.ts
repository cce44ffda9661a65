import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.js';

/** Reserved for nginx, so that no other process of the suite takes its port first. */
const ADDRESS = '127.0.2.1';

const CONFIGURATION = 'deploy/nginx.conf';

/** nginx in front of one or more service instances, configured as in deploy/nginx.conf. */
export class AppendingProxy {
  private constructor(
    readonly url: string,
    private readonly nginx: ChildProcess,
    private readonly folder: string,
  ) {}

  /**
   * @param program the path of nginx
   * @param services the URLs of the instances
   */
  static async start(program: string, ...services: string[]): Promise<AppendingProxy> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'appending-proxy-'));
    const port = await freePort(ADDRESS);
    fs.writeFileSync(path.join(folder, 'nginx.conf'), configuration(port, services));
    const nginx = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await untilItListens(port, nginx);
    return new AppendingProxy(`http://${ADDRESS}:${port}`, nginx, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.nginx, 'exit');
    this.nginx.kill();
    await ended;
    fs.rmSync(this.folder, { recursive: true });
  }
}

/** deploy/nginx.conf, with a test's addresses. */
function deployed(port: number, services: readonly string[]): string {
  const text = fs.readFileSync(CONFIGURATION, 'utf8');
  const [, parameters = ''] = /^ *server \S+:\d+(.*)$/m.exec(text) ?? [];
  const servers = services.map((service) => `server ${new URL(service).host}${parameters}`);
  return text
    .replace(/(^ *server \S+:\d+.*\n)+/m, `${servers.join('\n')}\n`)
    .replace(/listen .*;/, `listen ${ADDRESS}:${port};`);
}

// Redirects everything nginx would write elsewhere into its folder, and uses one process, run by the user of the test.
const configuration = (port: number, services: readonly string[]) => `
  daemon off;
  master_process off;
  pid nginx.pid;
  error_log stderr crit;
  events { worker_connections 4096; }
  http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    keepalive_requests 100000;
    ${deployed(port, services)}
  }
`;

async function untilItListens(port: number, nginx: ChildProcess): Promise<void> {
  while (nginx.exitCode === null) {
    const socket = net.connect(port, ADDRESS);
    const listens = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (listens) return;
    await setTimeout(10);
  }
  throw new Error(`nginx ended with ${nginx.exitCode}`);
}
