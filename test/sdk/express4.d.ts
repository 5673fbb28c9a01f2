declare module 'express-4';
