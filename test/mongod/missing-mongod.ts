import { reportMissingTool } from '../set-up/missing-tool';

const SENTENCE =
  'No mongod was found and none could be downloaded, so the suites that need one cannot run; ' +
  'MONGOMS_SYSTEM_BINARY can name one.';

export const reportMissingMongod = (env: NodeJS.ProcessEnv): void =>
  reportMissingTool(SENTENCE, env);
