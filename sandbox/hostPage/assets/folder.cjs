/** The folder of the files that browsers load. It is CommonJS because `__dirname` works there both in Node and in jest. */
module.exports = { folder: __dirname };
