using System.Runtime.CompilerServices;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>Streams of all shapes pass a gateway, and a reader that is slow stops the writer before the gateway.</summary>
public sealed class ForwardedStreamTests : GatewayTests
{
    private const int ItemSize = 16 * 1024;
    private const int ManyItems = 4_000; // 64 MB, four times the largest window

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Streams_of_all_shapes_pass(TransportKind kind)
    {
        var (_, _, _, _, proxy) = Start(kind);
        Assert.Equal([4, 4, 4], (await proxy.List([4], null, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken)).SelectMany(item => item));
        Assert.Equal([6, 6], await proxy.Collect([], Shop.Repeat([6], 2), TestContext.Current.CancellationToken));
        Assert.Equal([8, 8, 8], (await proxy.Talk([], Shop.Repeat([8], 3), TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken)).SelectMany(item => item));
        Assert.Empty(await proxy.Talk([], Shop.Repeat([], 0), TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(1, 20_000)]
    [InlineData(0, 100)]
    [InlineData(700, 5_000)]
    [InlineData(300_000, 60)]
    public async Task Items_arrive_in_order_whatever_their_length(int length, int count)
    {
        var (_, _, _, _, proxy) = Start(TransportKind.Epoll);
        int next = 0;
        await foreach (var item in proxy.Talk(Bytes(200_000), Numbered(length, count), TestContext.Current.CancellationToken))
        {
            Assert.Equal(Number(next++, length), item);
        }

        Assert.Equal(count, next);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_does_not_read_stops_the_handler_behind_the_gateway()
    {
        var (shop, _, _, _, proxy) = Start(TransportKind.Epoll);
        int made = 0;
        shop.OnList = (_, _, _) => Counted(ManyItems, () => Interlocked.Increment(ref made));
        var items = proxy.List([], null, TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        int before = await RestingAsync(() => Volatile.Read(ref made));
        Assert.InRange(before, 1, 200); // three windows of 64 KiB, and blocks on their way
        int read = 1;
        while (await items.MoveNextAsync()) read++;
        Assert.Equal(ManyItems, read);
        await items.DisposeAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_handler_that_does_not_read_stops_the_client_before_the_gateway()
    {
        var (shop, _, _, _, proxy) = Start(TransportKind.Epoll);
        var goOn = new Signal("the start of the reader");
        shop.OnCollect = async (items, token) =>
        {
            await goOn.WaitAsync();
            return BitConverter.GetBytes(await items.CountAsync(token));
        };
        int made = 0;
        var call = proxy.Collect([], Counted(ManyItems, () => Interlocked.Increment(ref made)), TestContext.Current.CancellationToken).AsTask();
        await shop.Started.ReachAsync(1);
        int before = await RestingAsync(() => Volatile.Read(ref made));
        Assert.InRange(before, 1, 200);
        goOn.Set();
        Assert.Equal(ManyItems, BitConverter.ToInt32(await call.Within("the reply")));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stream_that_its_reader_leaves_ends_the_handler()
    {
        var (shop, _, _, _, proxy) = Start();
        var ended = new Signal("the end of the handler");
        shop.OnList = (_, _, token) => Endless(ended, token);
        await foreach (var item in proxy.List([], null, TestContext.Current.CancellationToken))
        {
            Assert.Equal(ItemSize, item.Length);
            break;
        }

        await ended.WaitAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_reader_that_leaves_while_the_gateway_holds_the_rest_ends_the_call_there()
    {
        var (shop, _, service, gateway, proxy) = Start(TransportKind.Epoll);
        shop.OnList = (_, _, _) => Shop.Repeat(Bytes(ItemSize), 12); // more than the client's window, less than both
        var items = proxy.List([], null, TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        await items.DisposeAsync();
        await Eventually.Holds(() => gateway.GetStatistics().CallsCompleted == 1 && service.GetStatistics().CallsCompleted == 1, "the end of both calls");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_producer_that_fails_cancels_the_handler()
    {
        var (shop, _, _, _, proxy) = Start();
        var ended = new Signal("the end of the handler");
        shop.OnCollect = async (items, token) =>
        {
            try
            {
                return BitConverter.GetBytes(await items.CountAsync(token));
            }
            finally
            {
                ended.Set();
            }
        };
        await Assert.ThrowsAsync<MuxException>(() => proxy.Collect([], FailingOnce(shop), TestContext.Current.CancellationToken).AsTask());
        await ended.WaitAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task Items_before_a_failure_arrive_before_it()
    {
        var (shop, _, _, _, proxy) = Start(TransportKind.Epoll);
        shop.OnList = (_, _, _) => Failing(30);
        int read = 0;
        var error = await Assert.ThrowsAsync<MuxException>(async () =>
        {
            await foreach (var item in proxy.List([], null, TestContext.Current.CancellationToken)) read++;
        });
        Assert.Equal((30, MuxStatus.Aborted, "No more."), (read, error.Status, error.Message));
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_item_that_the_service_does_not_accept_fails_the_call()
    {
        var (_, _, _, _, proxy) = Start(TransportKind.InMemory, service: options => options.MaxMessageBytes = 100_000);
        var error = await Assert.ThrowsAsync<MuxException>(() => proxy.Collect([], Shop.Repeat(Bytes(200_000), 1), TestContext.Current.CancellationToken).AsTask());
        Assert.Equal(MuxStatus.ResourceExhausted, error.Status);
        Assert.Contains("MaxMessageBytes", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_last_item_that_the_client_does_not_accept_fails_the_call_with_its_limit()
    {
        var (shop, _, _, _, proxy) = Start(TransportKind.Epoll, client: options => options.MaxMessageBytes = 16_384);
        shop.OnList = (_, _, _) => Shop.Repeat(Bytes(20_000), 1); // its end comes in the same batch
        for (int i = 0; i < 50; i++)
        {
            var error = await Assert.ThrowsAsync<MuxException>(
                () => proxy.List([], null, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken).AsTask());
            Assert.Equal(MuxStatus.ResourceExhausted, error.Status);
            Assert.Contains("MaxMessageBytes", error.Message, StringComparison.Ordinal);
        }
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Small_and_large_items_arrive_in_order_although_credit_runs_out(int seed)
    {
        var (shop, _, _, _, proxy) = Start(TransportKind.Epoll);
        var lengths = LengthsOf(seed);
        shop.OnCollect = async (items, token) =>
        {
            await AssertAreAsync(lengths, items, token);
            return [1];
        };
        shop.OnList = (_, _, _) => Numbered(lengths);
        var token = TestContext.Current.CancellationToken;
        Assert.Equal([1], await proxy.Collect([], Numbered(lengths), token));
        await AssertAreAsync(lengths, proxy.List([], null, token), token);
        await AssertAreAsync(lengths, proxy.Talk([], Numbered(lengths), token), token);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_priority_of_a_stream_goes_with_its_request()
    {
        var scene = Begin(TransportKind.InMemory);
        using var raw = new RawServer(scene, request => request.Respond());
        var proxy = scene.CreateChannel(StartGateway(scene, scene.CreateChannel(raw.Address))).CreateProxy<IShop>();
        foreach (var priority in Enum.GetValues<MuxCallPriority>())
        {
            await proxy.List([], new MuxCallOptions { Priority = priority }, TestContext.Current.CancellationToken).CountAsync(TestContext.Current.CancellationToken);
            Assert.Equal(GatewayMarks.OptionsOf(1) | (RequestOptions)priority, raw.Requests[^1].Options);
        }
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_that_dies_within_a_stream_may_have_executed_the_call_and_the_text_says_which_it_was(bool isDetailed)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        using var raw = new RawServer(scene, request =>
        {
            request.SendItem(1);
            request.SendItem(2);
        });
        var channel = scene.CreateChannel(raw.Address, options => options.Name = "orders");
        var proxy = scene.CreateChannel(StartGateway(scene, channel, options => options.DetailedErrors = isDetailed)).CreateProxy<IShop>();
        List<byte> read = [];
        var error = await ReadAsync().FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Handler);
        Assert.Equal([1, 2], read);
        Assert.Contains("The gateway's client 'orders' ", error.Message, StringComparison.Ordinal);
        Assert.Equal(isDetailed, error.Message.Contains(raw.Address.ToString(), StringComparison.Ordinal));

        async Task ReadAsync()
        {
            await foreach (var item in proxy.List([], null, TestContext.Current.CancellationToken))
            {
                read.AddRange(item);
                if (read.Count == 2) raw.Requests[0].Lose();
            }
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Metadata_comes_ahead_of_a_stream_and_at_its_end()
    {
        var (shop, _, _, _, proxy) = Start();
        var goOn = new Signal("the rest of the stream");
        shop.OnList = (question, options, _) => Announced(options!, goOn);
        MuxMetadata metadata = [];
        var items = proxy.List([], new MuxCallOptions { ResponseMetadata = metadata, Metadata = new MuxMetadata { ["asked"] = "yes" } }, TestContext.Current.CancellationToken)
            .GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        Assert.Equal("yes", metadata["ahead"]);
        goOn.Set();
        Assert.False(await items.MoveNextAsync());
        Assert.Equal(["ahead", "behind"], metadata.Select(entry => entry.Key));
        await items.DisposeAsync();
    }

    /// <summary>Waits until a count has stopped to grow: it is the same for half a second.</summary>
    private static async Task<int> RestingAsync(Func<int> count)
    {
        int last = -1;
        long since = Environment.TickCount64;
        await Eventually.Holds(() =>
        {
            int now = count();
            if (now != last) (last, since) = (now, Environment.TickCount64);
            return now > 0 && Environment.TickCount64 - since > 500;
        }, "the producer to pause");
        return last;
    }

    private static byte[] Number(int number, int length)
    {
        var item = new byte[length];
        if (length >= 4) BitConverter.TryWriteBytes(item, number);
        else if (length > 0) item[0] = (byte)number;
        return item;
    }

    private static IAsyncEnumerable<byte[]> Numbered(int length, int count) => Numbered(Enumerable.Repeat(length, count));

    private static async IAsyncEnumerable<byte[]> Numbered(IEnumerable<int> lengths)
    {
        int next = 0;
        foreach (int length in lengths) yield return Number(next++, length);
        await Task.CompletedTask;
    }

    /// <summary>Most are small; one in twenty is larger than the window of 64 KiB, so that no credit is left behind it.</summary>
    private static int[] LengthsOf(int seed)
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, 1_000).Select(_ => random.Next(20) switch
        {
            0 => random.Next(65_536, 300_000),
            < 4 => random.Next(64, 20_000),
            _ => random.Next(4, 64),
        })];
    }

    /// <summary>Reads numbered items, and lets others run now and then, so that the writer waits for credit.</summary>
    private static async Task AssertAreAsync(int[] lengths, IAsyncEnumerable<byte[]> items, CancellationToken token)
    {
        int next = 0;
        await foreach (var item in items.WithCancellation(token))
        {
            Assert.Equal(Number(next, lengths[next]), item);
            if (next++ % 7 == 0) await Task.Yield();
        }

        Assert.Equal(lengths.Length, next);
    }

    private static async IAsyncEnumerable<byte[]> Counted(int count, Action made)
    {
        for (int i = 0; i < count; i++)
        {
            made();
            yield return new byte[ItemSize];
        }

        await Task.CompletedTask;
    }

    private static async IAsyncEnumerable<byte[]> Failing(int after)
    {
        for (int i = 0; i < after; i++) yield return new byte[ItemSize];
        await Task.Yield();
        throw new MuxException(MuxStatus.Aborted, "No more.");
    }

    /// <summary>Fails when the handler has started: a call that is cancelled before that has none.</summary>
    private static async IAsyncEnumerable<byte[]> FailingOnce(Shop shop)
    {
        yield return new byte[ItemSize];
        await shop.Started.ReachAsync(1);
        throw new MuxException(MuxStatus.Aborted, "No more.");
    }

    private static async IAsyncEnumerable<byte[]> Announced(MuxCallOptions options, Signal goOn)
    {
        options.ResponseMetadata!.Add("ahead", options.Metadata!["asked"]!);
        yield return [1];
        await goOn.WaitAsync();
        options.ResponseMetadata.Add("behind", "yes");
    }

    private static async IAsyncEnumerable<byte[]> Endless(Signal ended, [EnumeratorCancellation] CancellationToken token = default)
    {
        try
        {
            while (!token.IsCancellationRequested)
            {
                yield return new byte[ItemSize];
                await Task.Yield();
            }
        }
        finally
        {
            ended.Set();
        }
    }
}
