using System.Globalization;
using Mux;
using Mux.Tests.Contracts;
using Mux.Tests.Server;
using Mux.Transports.Streams;

if (args is ["standard-streams"])
{
    await using var own = new MuxServer(string.Empty).AddService<IDesk>(new PatientDesk());
    own.Start();
    var connection = StreamConnection.OverStandardStreams();
    Console.WriteLine("This goes to the standard error, and not between the frames.");
    await own.ServeAsync(connection);
    return;
}

// Arguments: the address, and the calls per connection. Writes its address when it listens, and ends with its standard input, so also with the test that started it.
var options = new MuxServerOptions { Address = args[0], MaxCallsPerConnection = int.Parse(args[1], CultureInfo.InvariantCulture) };
await using var server = new MuxServer(options).AddService<IDesk>(new PatientDesk());
server.Start();
await Console.Out.WriteLineAsync(server.Address.ToString());
await Console.In.ReadToEndAsync();
