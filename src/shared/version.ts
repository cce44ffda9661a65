/** The version of this program: that of `package.json`, the image and the API document. */
export const VERSION = '1.0.0';
