using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Tests.Filters;
using Mux.Transports.InMemory;

namespace Mux.Tests.Channels;

public sealed class DroppedChannelTests : IAsyncDisposable
{
    private const string Address = "mux://memory:7070";

    private readonly InMemoryTransport _transport = new();
    private readonly LogCollector _logs = new();
    private readonly ManualTime _time = new();
    private readonly MuxServer _server;
    private readonly List<object> _held = []; // what uses a channel; empty when it is dropped, too

    public DroppedChannelTests()
    {
        _server = new MuxServer(new MuxServerOptions { Address = Address, Transport = _transport }, _logs);
        _server.Start();
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _logs.Dispose();
    }

    [Fact]
    public async Task A_channel_that_is_dropped_without_being_disposed_is_told_with_its_name_address_and_connections()
    {
        await DropAsync();

        await Eventually.Holds(() => IsTold(), "the event");

        var told = _logs.Of("ChannelDropped")[0].Text;
        Assert.StartsWith("forgotten: the channel was dropped without being disposed. Its 1 connection(s) to mux://memory:7070", told, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a proxy")]
    [InlineData("a proxy with filters")]
    [InlineData("a unary method")]
    [InlineData("a hedged method")]
    [InlineData("a one-way method")]
    [InlineData("a stream")]
    [InlineData("a gateway")]
    public async Task A_channel_is_not_told_to_be_dropped_while_something_uses_it_and_is_told_after_that(string user)
    {
        var (used, unused) = (await DropAsync(user), await DropAsync());
        await EndAsync(unused);
        Assert.True(used.IsAlive, $"{user} keeps its channel");
        await Eventually.Holds(() => IsTold(), "the event of the other one");

        _time.Advance(TimeSpan.FromMinutes(1));
        _held.Clear();
        await Eventually.Holds(() => IsTold(2), "the event of the channel that was used");
    }

    [Fact]
    public async Task The_first_of_many_channels_is_told_at_once_and_the_others_are_counted_once_a_minute()
    {
        await DropAsync();
        await Eventually.Holds(() => IsTold(), "the event of the first");
        await EndAsync(await DropAsync(), await DropAsync());
        _time.Advance(TimeSpan.FromMinutes(1));
        await DropAsync();

        await Eventually.Holds(() => IsTold(2), "the event after a minute");

        Assert.EndsWith(" Suppressed since the last such message: 2.", _logs.Of("ChannelDropped")[1].Text, StringComparison.Ordinal);
    }

    /// <summary>Waits until channels are finalized.</summary>
    private static async Task EndAsync(params WeakReference[] channels)
    {
        await Task.Yield(); // the frames that made them are gone
        await Eventually.Holds(
            () =>
            {
                Collect();
                return !Array.Exists(channels, static channel => channel.IsAlive);
            },
            "the end of channels");
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect(); // what was finalized
    }

    private bool IsTold(int count = 1)
    {
        Collect();
        return _logs.Of("ChannelDropped").Count >= count;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private async Task<WeakReference> DropAsync(string? user = null)
    {
        // Handlers of this process keep their deadlines while any channel may inherit them, and nothing ends this one.
        var options = new MuxChannelOptions
        {
            Address = Address,
            Transport = _transport,
            Name = "forgotten",
            MaxConnections = 1,
            InheritDeadlines = false,
            TimeProvider = _time,
        };
        if (user == "a hedged method") options.Resilience.Hedge = MuxHedge.P95;
        if (user == "a proxy with filters") options.Filters.Add(new FilterOf((call, next) => next.RunAsync(call)));
        var channel = MuxChannel.Create(options, _logs);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        if (user is not null) await HoldAsync(user, channel);
        return new WeakReference(channel, trackResurrection: true);
    }

    private async Task HoldAsync(string user, MuxChannel channel)
    {
        switch (user)
        {
            case "a proxy" or "a proxy with filters":
                _held.Add(channel.CreateProxy<IDesk>());
                break;
            case "a gateway":
                _held.Add(new MuxServer(new MuxServerOptions { Address = "mux://memory:7071", Transport = _transport }, _logs).AddRoute(new MuxRoute("shop.*", channel)));
                break;
            default:
                var shape = user == "a stream" ? MethodShape.ResponseStream : user == "a one-way method" ? MethodShape.OneWay : MethodShape.Unary;
                var caller = channel.CreateRawCaller("test.Forgotten", $"Call{shape}", shape);
                _held.Add(caller);
                if (shape != MethodShape.Unary) break;
                await Assert.ThrowsAsync<MuxException>(() => caller.CallAsync(default).AsTask()); // calls that have ended keep nothing
                break;
        }
    }
}
