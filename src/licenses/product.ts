import type { License } from './license.js';

/**
 * A product's label: 1 to 64 of `A-Z a-z 0-9 . _ -`, alphanumeric at both ends. 24 hexadecimal characters are no
 * label, because they would look like a project's id. Without flags, which OpenAPI's patterns do not have.
 */
export const LABEL_PATTERN = /^(?![0-9A-Fa-f]{24}$)[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** What shipped software names as its product: a label, or a project's id. */
export const PRODUCT_PATTERN = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** Whether a license is one of a product: the label of its project, or the project's id, compared byte for byte. */
export const isOfProduct = (
  license: Pick<License, 'product' | 'project'>,
  product: string,
): boolean => product === license.product || product === license.project;

/** A license with the product of its project: its own is a copy, by which licenses are listed. */
export const withProductOf = (license: License, { product }: Pick<License, 'product'>): License =>
  license.product === product ? license : { ...license, product };
