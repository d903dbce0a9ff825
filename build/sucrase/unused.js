// In place of packages that sucrase uses for source maps and for checking options: neither is used.
export const createCheckers = () => ({Options: {strictCheck() {}}});
export const GenMapping = undefined, maybeAddSegment = undefined, toEncodedMap = undefined;
export const union = (...types) => types, array = union, iface = union, opt = union, lit = union;
export default undefined;
