import { aClient } from '../../test/builders/client.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import type { Client } from '../clients/client.js';
import { fitting, MAX_LICENSES, MAX_SHOWN } from './dashboard.js';

describe('the clients that fit on a page', () => {
  /** How many of some clients fit, by the licenses of the projects of each. */
  const countFitting = (...counts: number[][]) => {
    const clients = counts.map(() => aClient());
    const projectsOf = (client: Client) =>
      counts[clients.indexOf(client)]!.map((licensesCount) => aProject(client, { licensesCount }));
    const shown = fitting(clients, projectsOf);
    expect(shown).toEqual(clients.slice(0, shown.length));
    return shown.length;
  };
  const full = (projects: number) => Array<number>(projects).fill(1_000);

  it('are all where they show no more licenses than a page', () => {
    expect(countFitting()).toBe(0);
    expect(countFitting([], [0, 1], full(18), [MAX_SHOWN - 1])).toBe(4);
  });

  it('end before the one that would exceed it, whatever follows', () => {
    expect(countFitting(full(18), [MAX_SHOWN, 1], full(1), [])).toBe(2);
    expect(countFitting(full(19), [MAX_SHOWN, 1], [])).toBe(1);
  });

  it('are at least one, because a client shows no more than a page', () => {
    expect(countFitting(full(MAX_SHOWN), [1])).toBe(1);
    expect(MAX_SHOWN * MAX_SHOWN).toBe(MAX_LICENSES);
  });
});
