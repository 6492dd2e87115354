// Imports the module that the argument names and prints every module that was reached on the way, as a list of
// {url, format}.
import { register } from "node:module";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";

const { port1, port2 } = new MessageChannel();
register("./reached-hooks.mjs", import.meta.url, { data: port2, transferList: [port2] });
await import(process.argv[2]);

const reached = [];
// A hook has told of a module before the module is loaded, so all of them wait here by now.
for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1)) {
  reached.push(next.message);
}
port1.close();
process.stdout.write(JSON.stringify(reached));
