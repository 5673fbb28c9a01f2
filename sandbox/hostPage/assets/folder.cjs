/** The folder of the files for browsers. It is CommonJS because `__dirname` then works both in Node and in jest. */
module.exports = { folder: __dirname };
