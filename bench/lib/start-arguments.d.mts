export const START_ARGUMENTS: string[];
