/**
 * Imported before a server that would listen on all interfaces, so that it listens on 127.0.0.1:
 * it takes `listen(port, callback)` and no other way to name a port.
 */
import { Server } from "node:net";

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, port, "127.0.0.1", ...rest);
};
