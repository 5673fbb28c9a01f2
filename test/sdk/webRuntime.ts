/** Imported before the package, this leaves it what every web runtime has: none of Node.js's own modules. */
const usual = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule');
Object.defineProperty(process, 'getBuiltinModule', { value: undefined, configurable: true });

/** Call it when the package is loaded. */
export function isLoaded(): void {
  Reflect.deleteProperty(process, 'getBuiltinModule');
  if (usual !== undefined) Object.defineProperty(process, 'getBuiltinModule', usual);
}
