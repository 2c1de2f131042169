export { Dock } from './Dock.tsx';
export { TimelinePage } from './TimelinePage.tsx';
