using System.Collections.Concurrent;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Filters;

namespace Mux.Tests.Peers;

/// <summary>Filters around calls from a server to its client.</summary>
public sealed class PeerFilterTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Filters_of_both_sides_run_around_calls_in_both_directions(TransportKind kind)
    {
        var seen = new ConcurrentQueue<string>();
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(new Bouncer()), options => options.Filters.Add(Noting("server")));
        var channel = scene.CreateChannel(server, options =>
        {
            options.AddService<IBounce>(new Bouncer());
            options.Filters.Add(Noting("channel"));
        });
        Assert.Equal(1, await channel.CreateProxy<IBounce>().Bounce(1, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("the call"));
        Assert.Equal(["channel Client", "server Server", "server Client", "channel Server"], seen);

        FilterOf Noting(string side) => new((call, next) =>
        {
            seen.Enqueue($"{side} {call.Side}");
            return next.RunAsync(call);
        });
    }
}
