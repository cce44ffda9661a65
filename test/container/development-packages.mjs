// Prints the packages in a folder that package-lock.json lists only for development, and exits with 1 if there are any.
import fs from 'node:fs';
import path from 'node:path';

const [folder] = process.argv.slice(2);
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
const found = Object.keys(packages).filter((name) => {
  const { dev, devOptional } = packages[name];
  return (dev || devOptional) && fs.existsSync(path.join(folder, name));
});
for (const name of found) console.error(name);
process.exitCode = found.length > 0 ? 1 : 0;
