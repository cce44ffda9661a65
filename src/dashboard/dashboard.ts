import type { Client } from '../clients/client.js';
import type { Project } from '../projects/project.js';

/** Maximum of projects shown for a client, and of licenses for a project: the newest. */
export const MAX_SHOWN = 20;

export const MAX_CLIENTS = 20;

/**
 * Maximum of licenses on a page, which ends before the client that would exceed it. One client cannot, so no
 * page is empty.
 */
export const MAX_LICENSES = MAX_SHOWN * MAX_SHOWN;

/** The first of these clients, as many as have no more licenses than a page shows. */
export function fitting(
  clients: readonly Client[],
  projectsOf: (client: Client) => readonly Project[],
): readonly Client[] {
  let room = MAX_LICENSES;
  const end = clients.findIndex((client) => {
    for (const { licensesCount } of projectsOf(client)) room -= Math.min(licensesCount, MAX_SHOWN);
    return room < 0;
  });
  return end < 0 ? clients : clients.slice(0, end);
}
