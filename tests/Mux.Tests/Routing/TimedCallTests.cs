using Mux.Calls;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>Some calls are timed, to see which server is slow. A time that does not end makes a healthy server slow for ever.</summary>
public sealed class TimedCallTests : EndToEndTests
{
    private const int Calls = 60;

    private readonly ManualTime _time = new();
    private readonly ScriptedSource _source = new();

    [Theory(Timeout = TestLimit)]
    [InlineData(MuxHedge.Off)]
    [InlineData(MuxHedge.P95)]
    public async Task The_time_of_every_call_ends_that_is_answered_fails_or_is_cancelled(MuxHedge hedge)
    {
        var desk = new Desk();
        var channel = await ConnectAsync(hedge, desk, desk);
        var proxy = channel.CreateProxy<IDesk>();
        for (int i = 0; i < Calls; i++)
        {
            await proxy.Ask(new Question { Id = i }, TestContext.Current.CancellationToken);
            _time.Advance(TimeSpan.FromMilliseconds(10));
        }

        Assert.Equal(0, OpenTimes(channel));
        desk.OnAsk = static (_, _) => throw new MuxException(MuxStatus.NotFound, "not here");
        for (int i = 0; i < Calls; i++)
        {
            await Assert.ThrowsAsync<MuxException>(() => proxy.Ask(new Question(), TestContext.Current.CancellationToken).AsTask());
            _time.Advance(TimeSpan.FromMilliseconds(10));
        }

        Assert.Equal(0, OpenTimes(channel));
        desk.OnAsk = static (_, token) => new ValueTask<Answer>(new TaskCompletionSource<Answer>().Task.WaitAsync(token));
        using var cancellation = new CancellationTokenSource();
        var waiting = new List<Task>();
        for (int i = 0; i < HedgeDelay.LeastSamples; i++)
        {
            waiting.Add(proxy.Ask(new Question(), cancellation.Token).AsTask());
            _time.Advance(TimeSpan.FromMilliseconds(10));
        }

        Assert.NotEqual(0, OpenTimes(channel));
        await cancellation.CancelAsync();
        foreach (var call in waiting) await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancellation"));
        Assert.Equal(0, OpenTimes(channel));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Hedged_calls_that_fail_speak_against_their_server_like_all_others()
    {
        var broken = new Desk { OnAsk = static (_, _) => throw new MuxException(MuxStatus.Internal, "broken") };
        var channel = await ConnectAsync(MuxHedge.P95, broken, new Desk(), new Desk());
        var proxy = channel.CreateProxy<IDesk>();
        for (int i = 0; i < 200; i++)
        {
            try
            {
                await proxy.Ask(new Question { Id = i }, TestContext.Current.CancellationToken);
            }
            catch (MuxException)
            {
                // Of the first server.
            }
        }

        Assert.Equal([true, false, false], channel.GetEndpoints().Select(endpoint => endpoint.IsEjected));
        Assert.InRange(broken.Started.Count, 10, 60);
    }

    private static int OpenTimes(MuxChannel channel) => channel.Table().States.Sum(static state => state.Slowness.OpenCount);

    private async Task<MuxChannel> ConnectAsync(MuxHedge hedge, params Desk[] desks)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        MuxServer[] servers = [.. desks.Select(desk => scene.StartServer(server => server.AddService<IDesk>(desk)))];
        _source.Report(servers);
        var channel = scene.CreateChannel(servers[0].Address, options =>
        {
            options.Endpoints = _source;
            options.Resilience.Hedge = hedge;
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await channel.ChoosesAsync(servers.Length);
        return channel;
    }
}
