import { checkLicense } from './license-check.mjs';

const { run, exitCode, message } = await checkLicense(process.env);
if (run) {
  console.log(message);
  // Here your program begins.
} else {
  console.error(message);
  process.exitCode = exitCode;
}
