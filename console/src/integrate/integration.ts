/** What the Integrate page shows, as stored in the URL. */
export interface Integration {
  readonly language?: string;
  readonly product?: string;
}

/** Reads it from a URL. The page replaces values it does not know. */
export const toIntegration = ({ language, product }: Record<string, unknown>): Integration => ({
  ...(typeof language === 'string' && { language }),
  ...(typeof product === 'string' && { product }),
});
