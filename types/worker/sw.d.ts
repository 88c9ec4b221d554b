/** What /sw.js sets before it loads static/worker/worker.js. */

/** Digest of all static files. */
declare const VERSION: string;
/** The addresses of the offline page and of the files that it shows; the page is the first. */
declare const OFFLINE_FILES: string[];
declare const ICON: string;
declare const BADGE: string;
