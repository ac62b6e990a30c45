using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>
/// Random requests of several connections, whole and in fragments, with cancels, deadlines and losses, against what must hold: one handler of a key at a time, those
/// of a connection as they came, none of a call that ended before, and an answer for each.
/// </summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class OrderSimulationTests : IDisposable
{
    private const int Connections = 3, Keys = 4;

    private readonly Meter _meter = new("test");
    private readonly KeyTable _keys = new(maxKeys: Keys - 1, maxCallsOfKey: 12);
    private readonly List<OrderClient> _clients = [];
    private readonly List<OrderClient> _ended = []; // their handlers may still run, and leave work when they end
    private readonly List<Handler> _running = [];
    private readonly List<(int Client, int Key, int Number)> _ran = [];
    private readonly HashSet<(int Client, int Number)> _over = [];
    private readonly long _buffersBefore = BufferPool.Outstanding;
    private int _overlaps, _late, _opened;

    public void Dispose() => _meter.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(0)]
    public async Task Handlers_run_as_in_the_model(int seed)
    {
        var random = new Random(seed == 0 ? TestSeed.Next() : seed);
        for (int i = 0; i < Connections; i++) Open();
        for (int step = 0; step < 3_000; step++)
        {
            var client = _clients[random.Next(_clients.Count)];
            switch (random.Next(100))
            {
                case < 35:
                    client.Send(random.Next(Keys), random.Next(8) == 0, isWhole: true);
                    break;
                case < 40:
                    client.Send(random.Next(Keys), hasDeadline: false, isWhole: false);
                    break;
                case < 50:
                    client.Finish();
                    break;
                case < 58:
                    await SettleAsync(); // otherwise one may be on its way to its handler
                    if (client.Cancel(random.Next(int.MaxValue)) is not { } cancelled) break;
                    lock (_running)
                    {
                        if (!_ran.Exists(call => call.Client == client.Number && call.Number == cancelled)) _over.Add((client.Number, cancelled));
                    }

                    break;
                case < 60:
                    client.Peer.Time.Advance(TimeSpan.FromMilliseconds(30));
                    break;
                case 60:
                    await SettleAsync();
                    client.End();
                    _clients.Remove(client);
                    _ended.Add(client);
                    Open();
                    break;
                case < 70:
                    await SettleAsync();
                    break;
                default:
                    EndOne(random);
                    break;
            }
        }

        foreach (var client in _clients)
        {
            while (client.Finish() is not null)
            {
            }
        }

        await Eventually.Holds(AreAllOver, () => $"all calls to end; {_keys.Waiting} wait for {_keys.Keys} keys");
        foreach (var client in _clients) client.End();
        await RestingBuffers.BackAt(_buffersBefore, RunWork); // a handler leaves its key before it leaves its work

        Assert.Equal((0, 0), (_overlaps, _late));
        foreach (var order in _ran.GroupBy(static call => (call.Client, call.Key)))
        {
            var numbers = order.Select(static call => call.Number).ToList();
            Assert.Equal(numbers.Order(), numbers);
        }

        bool AreAllOver()
        {
            RunWork();
            EndOne(random);
            foreach (var client in _clients) client.Peer.Time.Advance(TimeSpan.FromMilliseconds(30));
            return _clients.All(static client => client.Peer.Sut.RequestCounts.OpenCount == 0) && _keys.Keys == 0;
        }
    }

    /// <summary>Waits until what has its key runs, and what was given up is answered.</summary>
    private Task SettleAsync() => Eventually.Holds(
        () =>
        {
            RunWork();
            lock (_running) return _running.Count == _keys.Keys;
        },
        () => $"{_keys.Keys} handlers to run, not {_running.Count}");

    private void RunWork()
    {
        foreach (var client in _clients) client.Work.RunAll();
        foreach (var client in _ended) client.Work.RunAll();
    }

    private void EndOne(Random random)
    {
        Handler? handler = null;
        lock (_running)
        {
            if (_running.Count > 0)
            {
                handler = _running[random.Next(_running.Count)];
                _running.Remove(handler);
            }
        }

        handler?.End.SetResult();
        RunWork();
    }

    private void Open()
    {
        var client = new OrderClient(_opened++);
        var descriptor = new MethodDescriptor("test", "Method", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered } };
        var method = new UnaryMethod<byte[], byte[]>(descriptor, BytesCodec.Instance, BytesCodec.Instance, (_, request, _, _) => RunAsync(client, request))
        {
            KeyOf = static (in byte[] request) => KeyHash.Of((long)request[0]),
        };
        var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        var environment = new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, durations, DetailedErrors: false) { Keys = _keys };
        client.Peer.Methods.Others.Add(new OrderedHandler<byte[], byte[]>(method, new SingletonSource<object>(this), environment, filters: null));
        client.Peer.Define(0, "test/Method");
        _clients.Add(client);
    }

    private async ValueTask<byte[]> RunAsync(OrderClient client, byte[] request)
    {
        int key = request[0], number = BitConverter.ToInt32(request, 1);
        var handler = new Handler(key);
        lock (_running)
        {
            if (_running.Exists(other => other.Key == key)) _overlaps++;
            if (_over.Contains((client.Number, number))) _late++;
            _running.Add(handler);
            _ran.Add((client.Number, key, number));
        }

        await handler.End.Task;
        return [];
    }

    private sealed record Handler(int Key)
    {
        public TaskCompletionSource End { get; } = new();
    }
}
