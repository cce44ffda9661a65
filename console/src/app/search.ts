import { notFound } from '@tanstack/react-router';
import * as inputs from '../api/inputs.js';

/** The query of a URL, as strings. (The router's own parser turns digits into numbers.) */
export const readSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** The search of a page with one list, as stored in its URL. */
export const toSearchOfList = ({ search }: Record<string, unknown>): { search?: string } =>
  typeof search === 'string' && search !== '' ? { search } : {};

const ID = new RegExp(inputs.listEvents.subject.pattern);

/** Records only have such ids, so other ids need no request. */
export const requireId = ({ params: { id } }: { params: { id: string } }) => {
  if (!ID.test(id)) notFound({ throw: true });
};

/** Accepts only addresses inside this console, because anyone can craft a link. */
export const isPath = (value: unknown): value is string =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value);
