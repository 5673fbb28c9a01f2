/** n8n's package scan as it is published: plain JavaScript, described here as far as it is used. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
  /** What of a package's source n8n judges. */
  export const SOURCE_FILE_PATTERNS: string[];
  export function analyzePackage(folder: string, filePatterns?: string[]): Promise<{ passed: boolean; message?: string; details?: string }>;
}
