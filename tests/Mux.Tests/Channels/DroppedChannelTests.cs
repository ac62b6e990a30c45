using System.Runtime.CompilerServices;
using Mux.TestSupport.EndToEnd;
using Mux.Transports.InMemory;

namespace Mux.Tests.Channels;

public sealed class DroppedChannelTests
{
    private const string Address = "mux://memory:7070";

    [Fact]
    public async Task A_channel_that_is_dropped_without_being_disposed_is_told_with_its_name_address_and_connections()
    {
        var (transport, logs) = (new InMemoryTransport(), new LogCollector());
        await using var server = new MuxServer(new MuxServerOptions { Address = Address, Transport = transport }, logs);
        server.Start();
        await DropAsync(transport, logs);

        await Eventually.Holds(() => IsCollected(logs), "the event");

        var told = logs.Of("ChannelDropped")[0].Text;
        Assert.StartsWith("forgotten: the channel was dropped without being disposed. Its 1 connection(s) to mux://memory:7070", told, StringComparison.Ordinal);
    }

    private static bool IsCollected(LogCollector logs)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return logs.Of("ChannelDropped").Count > 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task DropAsync(InMemoryTransport transport, LogCollector logs)
    {
        // Handlers of this process keep their deadlines while any channel may inherit them, and nothing ends this one.
        var channel = MuxChannel.Create(
            new MuxChannelOptions { Address = Address, Transport = transport, Name = "forgotten", MaxConnections = 1, InheritDeadlines = false }, logs);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
    }
}
