/** The version in `package.json`, which the image and the API document share. */
export const VERSION = '1.0.0';
