/** The page of a finished game, which needs no script for playing. */

import { onFailure, say, showNotice } from "../site/announce.js";
import "./dialogs.js";
import { prepareEnd } from "./ending.js";

onFailure((text) => {
  showNotice(text);
  say(text);
});
prepareEnd();
