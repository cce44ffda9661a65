import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { CREDENTIALS } from '../sdk/untrusted-server.js';

/** Reserved for nginx, so that no other process of the suite takes its port first. */
const ADDRESS = '127.0.2.1';

/** nginx in front of one or more service instances, configured as in deploy/. */
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
    const port = await freePort(ADDRESS);
    return this.run(program, port, deployed(port, services), `http://${ADDRESS}:${port}`);
  }

  /**
   * The same with deploy/nginx-single.conf, which needs TLS.
   *
   * @param plainPort for requests without TLS
   */
  static async startWithTls(program: string, service: string, plainPort: number) {
    const port = await freePort(ADDRESS);
    const text = deployedSingle(port, plainPort, service);
    return this.run(program, port, text, `https://${ADDRESS}:${port}`);
  }

  private static async run(program: string, port: number, server: string, url: string) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'appending-proxy-'));
    fs.writeFileSync(path.join(folder, 'nginx.conf'), configuration(server));
    for (const [name, text] of Object.entries(CREDENTIALS)) {
      fs.writeFileSync(path.join(folder, name), text);
    }
    const nginx = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await untilItListens(port, nginx);
    return new AppendingProxy(url, nginx, folder);
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
  const text = fs.readFileSync('deploy/nginx.conf', 'utf8');
  const [, parameters = ''] = /^ *server \S+:\d+(.*)$/m.exec(text) ?? [];
  const servers = services.map((service) => `server ${new URL(service).host}${parameters}`);
  return text
    .replace(/(^ *server \S+:\d+.*\n)+/m, `${servers.join('\n')}\n`)
    .replace(/listen .*;/, `listen ${ADDRESS}:${port};`);
}

/** deploy/nginx-single.conf, with a test's addresses and certificate, without IPv6, which not every machine has. */
const deployedSingle = (port: number, plainPort: number, service: string): string =>
  fs
    .readFileSync('deploy/nginx-single.conf', 'utf8')
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen ${ADDRESS}:${plainPort};`)
    .replace('listen 443 ssl;', `listen ${ADDRESS}:${port} ssl;`)
    .replace('127.0.0.1:3000', new URL(service).host)
    .replace(/ssl_certificate .*;/, 'ssl_certificate cert;')
    .replace(/ssl_certificate_key .*;/, 'ssl_certificate_key key;');

// Redirects everything nginx would write elsewhere into its folder, and uses one process, run by the user of the test.
const configuration = (server: string) => `
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
    ${server}
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
