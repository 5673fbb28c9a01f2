/** The types of n8n's package scan, which is published as plain JavaScript. Only what is used here. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
  /** The parts of a package's source that n8n judges. */
  export const SOURCE_FILE_PATTERNS: string[];
  export function analyzePackage(folder: string, filePatterns?: string[]): Promise<{ passed: boolean; message?: string; details?: string }>;
}
