export function findChromium(env: NodeJS.ProcessEnv, preferred?: string): string | undefined;
