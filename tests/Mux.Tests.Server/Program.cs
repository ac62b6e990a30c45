using System.Globalization;
using Mux;
using Mux.Tests.Contracts;
using Mux.Tests.Server;

// Arguments: the address, and the calls per connection. Writes its address when it listens, and ends with its standard input, so also with the test that started it.
var options = new MuxServerOptions { Address = args[0], MaxCallsPerConnection = int.Parse(args[1], CultureInfo.InvariantCulture) };
await using var server = new MuxServer(options).AddService<IDesk>(new PatientDesk());
server.Start();
await Console.Out.WriteLineAsync(server.Address.ToString());
await Console.In.ReadToEndAsync();
