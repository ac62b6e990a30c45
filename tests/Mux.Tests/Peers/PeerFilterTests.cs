using System.Collections.Concurrent;
using Mux.Filters;
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

    [Fact(Timeout = TestLimit)]
    public async Task A_filter_runs_around_calls_of_the_side_that_it_asks_for_and_is_asked_once_per_method()
    {
        var (served, made) = (new SidedFilter(MuxCallSide.Server), new SidedFilter(MuxCallSide.Client));
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IBounce>(new Bouncer()), options =>
        {
            options.Filters.Add(served);
            options.Filters.Add<IBounce>(made, nameof(IBounce.Bounce));
        });
        for (int i = 1; i <= 3; i++)
        {
            var channel = scene.CreateChannel(server, static options => options.AddService<IBounce>(new Bouncer()));
            await channel.CreateProxy<IBounce>().Bounce(1, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("the call");
            Assert.Equal((i, i), (served.Calls, made.Calls));
        }

        Assert.Equal(2, made.Asked); // for each side
    }

    private sealed class SidedFilter(MuxCallSide own) : MuxFilter
    {
        public int Calls { get; private set; }

        public int Asked { get; private set; }

        public override bool RunsOn(MuxCallSide side)
        {
            Asked++;
            return side == own;
        }

        public override ValueTask RunAsync(MuxCall call, MuxNext next)
        {
            Assert.Equal(own, call.Side);
            Calls++;
            return next.RunAsync(call);
        }
    }
}
