using System.Buffers;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Tests.EndToEnd;

/// <summary>
/// Connections that come and go, and readers that stall, cost what they cost while they are there and nothing afterwards. The full counts are those of benchmarks/Seeds. Without logs and
/// meters, which would keep what they are told.
/// </summary>
[Collection(nameof(EndToEndTests))]
public sealed class BoundedMemoryTests : IAsyncDisposable
{
    private const int TestLimit = 90_000;
    private const double MostGrowth = 1.1;
    private const int MostRounds = 3;
    private const int OthersCalls = 2_000;

    private readonly long _buffers = BufferPool.Outstanding;
    private readonly Desk _desk = new();
    private readonly MuxServer _server = new(new MuxServerOptions { Address = "mux://127.0.0.1:0" });

    public BoundedMemoryTests()
    {
        _server.AddService<IDesk>(_desk);
        _server.Start();
    }

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    [Fact(Timeout = TestLimit)]
    public async Task Two_thousand_connections_that_come_and_go_leave_nothing_behind()
    {
        FillPools();
        await ComeAndGo(500); // what is made once
        Assert.InRange(await LeastGrowthAsync(() => ComeAndGo(2_000)), 0, MostGrowth);

        Task ComeAndGo(int connections) => Parallel.ForAsync(0, connections, new ParallelOptions { MaxDegreeOfParallelism = 8 }, async (id, _) =>
        {
            await using var channel = Connect(_server.Address);
            Assert.Equal(id, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = id })).Id);
        });
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_reader_that_stalls_is_kept_no_more_for_than_allowed_while_others_go_on_and_leaves_nothing_behind()
    {
        const int Owed = 1_000;
        const int ReceiveBuffer = 65_536;
        var reply = new byte[16_000]; // 16 MB in all: far more than the system takes for a connection with that buffer
        var small = new SocketTransport(new SocketTransportOptions { ReceiveBufferSize = ReceiveBuffer }, NullLogger.Instance, TimeProvider.System);
        using var transport = new StallingTransport(small);
        _desk.OnAsk = (question, _) => new(new Answer { Id = question.Id, Bytes = question.Text is null ? null : reply });
        long limit = new MuxServerOptions().MaxUnsentBytes;
        await using var others = Connect(_server.Address);
        FillPools();
        await StallAsync(); // what is made once
        Assert.InRange(await LeastGrowthAsync(StallAsync), 0, MostGrowth);

        async Task StallAsync()
        {
            await using var stalling = Connect(_server.Address, transport);
            await stalling.ConnectAsync(TestContext.Current.CancellationToken);
            transport.Stall();
            long started = _desk.Started.Count;
            var sut = stalling.CreateProxy<IDesk>();
            var calls = Enumerable.Range(0, Owed).Select(id => sut.AskPlainly(new Question { Id = id, Text = "much" }).AsTask()).ToArray();
            await CallAsync(others);
            await Eventually.Holds(() => _server.GetStatistics().BytesUnsent >= limit, () => $"{limit} unsent bytes; there are {_server.GetStatistics().BytesUnsent}");
            await CallAsync(others);
            Assert.InRange(_server.GetStatistics().BytesUnsent, limit, 2 * limit);
            Assert.InRange(_desk.Started.Count - started, 2 * OthersCalls, (2 * OthersCalls) + (Owed / 2)); // the rest is not begun, or its replies would be kept somewhere
            transport.Resume();
            for (int id = 0; id < Owed; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        }
    }

    /// <summary>As many arrays of each size as pools keep (32 for each CPU), so that none of them is new later.</summary>
    private static void FillPools()
    {
        int count = 32 * Environment.ProcessorCount;
        foreach (int size in new[] { 16_384, 32_768, 65_536, 131_072 })
        {
            var arrays = Enumerable.Range(0, count).Select(_ => ArrayPool<byte>.Shared.Rent(size)).ToArray();
            foreach (var array in arrays) ArrayPool<byte>.Shared.Return(array);
        }
    }

    private static MuxChannel Connect(MuxAddress address, ITransport? transport = null) => MuxChannel.Create(new MuxChannelOptions { Address = address.ToString(), Transport = transport });

    /// <summary>Far more calls than one thread that waits for the stalled reader would let through.</summary>
    private static async Task CallAsync(MuxChannel channel)
    {
        var desk = channel.CreateProxy<IDesk>();
        for (int id = 0; id < OthersCalls; id++) Assert.Equal(id, (await desk.AskPlainly(new Question { Id = id }).AsTask().Within($"the reply to call {id} of others")).Id);
    }

    /// <summary>
    /// How much more the process has after the work than before it, in the least of a few rounds: what the work leaves behind it leaves in each, and what the runtime makes or lets go meanwhile is
    /// in some.
    /// </summary>
    private async Task<double> LeastGrowthAsync(Func<Task> work)
    {
        double least = double.MaxValue;
        for (int round = 0; round < MostRounds && least > MostGrowth; round++)
        {
            var before = await RestAsync();
            await work();
            least = Math.Min(least, await RestAsync() / before);
        }

        return least;
    }

    /// <summary>The managed bytes of the process once the server has seen all connections but that of the others go, and all buffers are back.</summary>
    private async Task<double> RestAsync()
    {
        await Task.Yield(); // off the stack of the work before it, whose frames hold its locals until it returns
        await Eventually.Holds(() => _server.GetStatistics() is { OpenConnections: <= 1, CallsActive: 0, BytesUnsent: 0 }, () => $"the end of connections: {_server.GetStatistics()}");
        await Eventually.Holds(() => BufferPool.Outstanding <= _buffers, () => $"outstanding buffers back at {_buffers}; there are {BufferPool.Outstanding}");
        return ManagedMemory.Read();
    }
}
