using Mux;

namespace Shop;

public static class EndpointLog
{
    public static void Show(MuxChannel channel)
    {
        foreach (var server in channel.GetEndpoints())
            Console.WriteLine($"{server.Endpoint.Address}: {(server.IsEjected ? "ejected" : server.IsOpen ? "open" : server.Failure ?? "connecting")}, {server.Calls} open calls");
    }

    public static async Task FollowAsync(MuxChannel channel, CancellationToken stop)
    {
        await foreach (var change in channel.WatchEndpointsAsync(stop))
            Console.WriteLine($"{change.At:T} {change.Endpoint.Address} {change.Change} {change.Reason}");
    }
}
