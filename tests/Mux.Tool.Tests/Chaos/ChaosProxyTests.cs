using System.Diagnostics;
using System.Net.Sockets;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tool.Chaos;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Chaos;

/// <summary>What the proxy does to the bytes of real sockets.</summary>
public sealed class ChaosProxyTests
{
    private static readonly byte[] s_pattern = MakePattern(300_000);

    [Fact]
    public async Task Bytes_pass_in_order_whatever_the_delay_the_jitter_and_the_slices()
    {
        var faults = new ChaosFaults { Delay = TimeSpan.FromMilliseconds(20), Jitter = TimeSpan.FromMilliseconds(20), Slice = 4_999 };
        await using var scene = new ChaosScene(ChaosPlan.Both(faults));
        var (client, server) = await scene.ConnectAsync();

        var sending = ChaosScene.SendAllAsync(client, s_pattern);
        var (bytes, isReset) = await ChaosScene.ReadAllAsync(server);
        await sending;
        server.Dispose();

        Assert.False(isReset);
        Assert.Equal(s_pattern, bytes);
        Assert.Empty((await ChaosScene.ReadAllAsync(client)).Bytes); // its end passes too, after the other direction's
        Assert.Equal(s_pattern.Length, scene.Proxy.Tally[ChaosCount.BytesUpstream]);
        await Eventually.Holds(() => scene.Proxy.Connections().Count == 0, "no connection is left");
    }

    [Fact]
    public async Task A_byte_takes_the_delay_of_both_directions()
    {
        var delay = TimeSpan.FromMilliseconds(30);
        await using var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { Delay = delay }));
        var (client, server) = await scene.ConnectAsync();
        long startedAt = Stopwatch.GetTimestamp();

        await client.SendAsync(new byte[] { 1 }, Token);
        Assert.Equal(1, await ReceiveAsync(server));
        await server.SendAsync(new byte[] { 1 }, Token);
        Assert.Equal(1, await ReceiveAsync(client));

        Assert.True(Stopwatch.GetElapsedTime(startedAt) >= 2 * delay);
    }

    [Fact]
    public async Task Calls_that_wait_together_share_the_delay()
    {
        const int Calls = 200;
        var delay = TimeSpan.FromMilliseconds(20);
        await using var scene = new ChaosScene(ChaosPlan.Calm);
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IEcho>(new EchoService());
        server.Start();
        await using var proxy = ChaosProxy.Start(
            new ChaosOptions { Listen = MuxAddress.Parse("mux://127.0.0.1:0"), Target = server.Address, Seed = TestSeed.Next() },
            ChaosPlan.Both(new ChaosFaults { Delay = delay }));
        await using var channel = MuxChannel.Create(proxy.Address.ToString());
        var echo = channel.CreateProxy<IEcho>();
        await echo.EchoAsync([], Token).AsTask().Within("a first call");

        long startedAt = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, Calls).Select(_ => echo.EchoAsync([], Token).AsTask())).Within("200 calls");
        var together = Stopwatch.GetElapsedTime(startedAt);

        Assert.InRange(together, 2 * delay, Calls * delay); // at least twice as long as that, if each waited for the one before
    }

    [Fact]
    public async Task A_rate_is_not_exceeded()
    {
        await using var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { BytesPerSecond = 2_000_000 }));
        var (client, server) = await scene.ConnectAsync();
        long startedAt = Stopwatch.GetTimestamp();

        var sending = ChaosScene.SendAllAsync(client, s_pattern);
        Assert.Equal(s_pattern, (await ChaosScene.ReadAllAsync(server)).Bytes);
        await sending;

        Assert.True(Stopwatch.GetElapsedTime(startedAt) >= TimeSpan.FromMilliseconds(149), "300 kB at 2 MB/s take 150 ms.");
    }

    [Fact]
    public async Task A_stall_holds_bytes_and_loses_none()
    {
        await using var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { Stall = true }));
        var (client, server) = await scene.ConnectAsync();
        var sending = ChaosScene.SendAllAsync(client, s_pattern);
        await Eventually.Holds(() => scene.Proxy.Tally[ChaosCount.Stalls] > 0, "the connection stalls");
        Assert.Equal(0, scene.Proxy.Tally[ChaosCount.BytesUpstream]);

        scene.Proxy.Plan = ChaosPlan.Calm;

        Assert.Equal(s_pattern, (await ChaosScene.ReadAllAsync(server)).Bytes);
        await sending;
    }

    [Fact]
    public async Task A_stall_ends_with_its_window()
    {
        var window = new ChaosWindow(TimeSpan.Zero, TimeSpan.FromMilliseconds(50));
        await using var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { Stall = true }) with { Window = window });
        long startedAt = Stopwatch.GetTimestamp();
        var (client, server) = await scene.ConnectAsync();

        var sending = ChaosScene.SendAllAsync(client, [7]);
        Assert.Equal([7], (await ChaosScene.ReadAllAsync(server)).Bytes);
        await sending;

        Assert.True(scene.Proxy.Tally[ChaosCount.Stalls] == 0 || Stopwatch.GetElapsedTime(startedAt) > TimeSpan.FromMilliseconds(10));
    }

    [Fact]
    public async Task A_half_open_connection_hides_the_end_and_is_reset_when_the_fault_ends()
    {
        await using var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { HalfOpen = true }));
        var (client, server) = await scene.ConnectAsync();
        await client.SendAsync(new byte[] { 1, 2, 3 }, Token);
        client.Dispose();
        await Eventually.Holds(() => scene.Proxy.Tally[ChaosCount.DroppedBytes] == 3, "the bytes are dropped");
        var reading = ChaosScene.ReadAllAsync(server);
        Assert.False(reading.IsCompleted);

        scene.Proxy.Plan = ChaosPlan.Calm;

        var (bytes, isReset) = await reading;
        Assert.Empty(bytes);
        Assert.True(isReset);
    }

    [Fact]
    public async Task A_half_open_connection_that_both_sides_left_is_over()
    {
        await using var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { HalfOpen = true }));
        var (client, server) = await scene.ConnectAsync();

        client.Dispose();
        server.Dispose();

        await Eventually.Holds(() => scene.Proxy.Connections().Count == 0, "no connection is left");
    }

    [Fact]
    public async Task A_reset_strikes_at_its_byte_at_both_sides()
    {
        await using var scene = new ChaosScene(new ChaosPlan { Upstream = new ChaosFaults { ResetAt = new ByteRange(1000, 1000) } });
        var (client, server) = await scene.ConnectAsync();

        await client.SendAsync(s_pattern.AsMemory(0, 1500), Token);

        var (bytes, isReset) = await ChaosScene.ReadAllAsync(server);
        Assert.Equal(s_pattern[..1000], bytes);
        Assert.True(isReset);
        Assert.True((await ChaosScene.ReadAllAsync(client)).IsReset);
        Assert.Equal(1, scene.Proxy.Tally[ChaosCount.Resets]);
    }

    [Fact]
    public async Task A_seed_replays_which_connections_have_faults_and_at_which_bytes()
    {
        int seed = TestSeed.Next();
        var plan = new ChaosPlan { Upstream = new ChaosFaults { Corrupt = 0.01, ResetAt = new ByteRange(1, 5000) }, Share = 0.5 };

        var (first, again, other) = (await PlayAsync(seed), await PlayAsync(seed), await PlayAsync(unchecked(seed + 1)));

        Assert.Equal(first, again);
        Assert.NotEqual(first, other);
        Assert.Contains(first, arrived => arrived == Text(s_pattern.AsSpan(0, 6000)));
        Assert.True(first.Distinct().Count() > 2, "Connections differ.");

        async Task<string[]> PlayAsync(int seed)
        {
            await using var scene = new ChaosScene(plan, seed);
            var arrived = new List<string>();
            for (int i = 0; i < 24; i++)
            {
                var (client, server) = await scene.ConnectAsync();
                await client.SendAsync(s_pattern.AsMemory(0, 6000), Token);
                client.Shutdown(SocketShutdown.Send);
                arrived.Add(Text((await ChaosScene.ReadAllAsync(server)).Bytes));
            }

            return [.. arrived];
        }
    }

    [Fact]
    public async Task Only_the_chosen_direction_has_faults()
    {
        await using var scene = new ChaosScene(new ChaosPlan { Downstream = new ChaosFaults { Corrupt = 1 } });
        var (client, server) = await scene.ConnectAsync();

        await client.SendAsync(new byte[] { 5 }, Token);
        Assert.Equal(5, await ReceiveAsync(server));
        await server.SendAsync(new byte[] { 5 }, Token);
        Assert.NotEqual(5, await ReceiveAsync(client));

        Assert.Equal(1, scene.Proxy.Tally[ChaosCount.CorruptedBytes]);
    }

    [Fact]
    public async Task A_client_is_reset_if_the_server_is_not_reached()
    {
        await using var scene = new ChaosScene(ChaosPlan.Calm, isListening: false);

        try
        {
            Assert.True((await ChaosScene.ReadAllAsync(await scene.DialAsync())).IsReset);
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            // The proxy was faster than the client's dial.
        }

        await Eventually.Holds(() => scene.Proxy.Unreachable == 1, "the failure is counted");
        Assert.NotNull(scene.Proxy.LastFailure);
    }

    [Fact]
    public async Task The_end_of_the_proxy_ends_stalled_and_delayed_connections()
    {
        var scene = new ChaosScene(ChaosPlan.Both(new ChaosFaults { Delay = TimeSpan.FromMinutes(1) }));
        var (client, _) = await scene.ConnectAsync();
        await client.SendAsync(new byte[] { 1 }, Token);
        await Eventually.Holds(() => scene.Proxy.Connections().Count == 1, "the connection is open");

        await scene.DisposeAsync();

        Assert.Empty(scene.Proxy.Connections());
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static async Task<byte> ReceiveAsync(Socket socket)
    {
        var one = new byte[1];
        Assert.Equal(1, await socket.ReceiveAsync(one, Token).AsTask().Within("a byte"));
        return one[0];
    }

    private static byte[] MakePattern(int length)
    {
        var bytes = new byte[length];
        new Random(1).NextBytes(bytes);
        return bytes;
    }

    private static string Text(ReadOnlySpan<byte> bytes) => Convert.ToHexString(bytes);
}
