/** What the page of programs shows, as it stands in the address. */
export interface Integration {
  readonly language?: string;
  readonly product?: string;
}

/** Reads it from an address. Others than the page knows are replaced by it. */
export const toIntegration = ({ language, product }: Record<string, unknown>): Integration => ({
  ...(typeof language === 'string' && { language }),
  ...(typeof product === 'string' && { product }),
});
