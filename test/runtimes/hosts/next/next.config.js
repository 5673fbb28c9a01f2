export default { turbopack: { root: process.env.TURBOPACK_ROOT } };
