using System.Globalization;
using Mux;
using Mux.Tests.Contracts;
using Mux.Tests.Server;
using Mux.Transports.Sockets;
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

// The server that a front calls; at an address if it takes the place of one that has ended.
if (args is ["back", .. var at])
{
    await using var back = new MuxServer(at is [var address] ? address : "mux://127.0.0.1:0").AddService<IDesk>(new SlowDesk());
    back.Start();
    await Console.Out.WriteLineAsync(back.Address.ToString());
    await Console.In.ReadLineAsync();
    return;
}

// A host whose server is registered in etcd.
if (args is ["registered", var target])
{
    await Registered.RunAsync(target);
    return;
}

// A host whose topics are shared with others.
if (args is ["shared", var redis])
{
    await SharedTicks.RunAsync(redis);
    return;
}

// A host whose groups are shared with others.
if (args is ["rooms", var relay])
{
    await SharedRooms.RunAsync(relay);
    return;
}

// A front whose handlers block on a back, as many threads as there may be, and what to do at which line: see Front.
if (args is ["front", var backAddress, .. var limit])
{
    await Front.RunAsync(backAddress, limit is [var threads] ? int.Parse(threads, CultureInfo.InvariantCulture) : null);
    return;
}

// A server that starts when the thread pool is full.
if (args is ["late"])
{
    LateStart.Run();
    return;
}

// Tasks that block a full thread pool on calls over an in-memory network.
if (args is ["full-pool"])
{
    FullPool.Run();
    return;
}

// A heap that fills up to parts of its limit.
if (args is ["limited-heap", .. var percent])
{
    LimitedHeap.Run(percent);
    return;
}

// Arguments: the address, the calls per connection, and "portable" for that engine. Writes its address when it listens, does what HandleHoard is told on its standard input, and ends with
// it, so also with the test that started it.
var options = new MuxServerOptions { Address = args[0], MaxCallsPerConnection = int.Parse(args[1], CultureInfo.InvariantCulture) };
using var logs = new AcceptLog();
if (args is [_, _, "portable"]) options.Transport = new SocketTransport(new SocketTransportOptions(), logs, TimeProvider.System);
await using var server = new MuxServer(options, logs).AddService<IDesk>(new PatientDesk());
server.Start();
await Console.Out.WriteLineAsync(server.Address.ToString());
using var hoard = new HandleHoard();
while (await Console.In.ReadLineAsync() is { } command) await Console.Out.WriteLineAsync(hoard.Obey(command));
