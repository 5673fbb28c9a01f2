import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

for (const [what, patterns] of [
  ['source', SOURCE_FILE_PATTERNS],
  ['build', ['dist/**/*.js', 'package.json']],
]) {
  const { passed, message, details } = await analyzePackage(process.cwd(), patterns);
  if (!passed || message !== undefined) throw new Error(`The scan of the ${what} found: ${details ?? message}`);
}
console.log('The scan found nothing.');
