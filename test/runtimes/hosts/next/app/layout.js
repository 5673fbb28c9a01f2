import { createElement } from 'react';

const Layout = ({ children }) => createElement('html', { lang: 'en' }, createElement('body', null, children));
export default Layout;
