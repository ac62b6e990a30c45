using System.Diagnostics;
using System.Diagnostics.Metrics;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>
/// After every step of random arrivals, ends of handlers, cancels, deadlines and losses, a server does with ordered calls exactly what the model does: per key one
/// handler at a time, in the order of arrival, none lost, those beyond a limit refused and counted, and in the end nothing is left. A failure shows the fewest steps.
/// </summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class OrderPropertyTests : IDisposable
{
    private const int Clients = 3, Keys = 4, MaxKeys = 3, MaxCallsOfKey = 5;

    private readonly Meter _meter = new("test");
    private TimeSpan _patience = Awaited.Patience;

    public void Dispose() => _meter.Dispose();

    [Fact]
    public void A_server_runs_ordered_calls_as_the_model_does()
    {
        int seed = TestSeed.Next();
        var step = Gen.Choose(0, 99).SelectMany(kind => Gen.Choose(0, 999), static (kind, pick) => new Step(kind, pick));
        var steps = Arb.From(Gen.ArrayOf(step), Shorter);
        var config = Config.QuickThrowOnFailure.WithMaxTest(100 * Seeds.Effort).WithEndSize(150).WithReplay((ulong)seed, 1);
        Prop.ForAll(steps, Run).Check(config);
    }

    private static IEnumerable<Step[]> Shorter(Step[] steps)
    {
        for (int cut = steps.Length / 2; cut > 0; cut /= 2)
        {
            for (int at = 0; at + cut <= steps.Length; at += cut) yield return [.. steps[..at], .. steps[(at + cut)..]];
        }
    }

    private void Run(Step[] steps)
    {
        long buffers = BufferPool.Outstanding;
        var scene = new Scene(_meter);
        foreach (var step in steps)
        {
            scene.Do(step);
            Settle(scene, step.ToString());
        }

        while (scene.TryEndOne()) Settle(scene, "the end");
        scene.Close();
        Assert.True(SpinWait.SpinUntil(() => BufferPool.Outstanding <= buffers, _patience), $"Buffers back at {buffers}; there are {BufferPool.Outstanding}.");
    }

    private void Settle(Scene scene, string after)
    {
        string? difference = null;
        if (SpinWait.SpinUntil(() => (difference = scene.Difference()) is null, _patience)) return;
        _patience = TimeSpan.FromSeconds(1); // of the shorter runs that follow
        Assert.Fail($"After {after}: {difference}");
    }

    internal readonly record struct Step(int Kind, int Pick);

    /// <summary>A server, its clients, and the model of both.</summary>
    private sealed class Scene
    {
        private readonly Meter _meter;
        private readonly KeyTable _keys = new(MaxKeys, MaxCallsOfKey);
        private readonly OrderModel _model = new(Keys, MaxKeys, MaxCallsOfKey);
        private readonly OrderClient[] _clients = new OrderClient[Clients];
        private readonly List<(int Client, int Number, TaskCompletionSource End)> _running = [];
        private int _opened;

        public Scene(Meter meter)
        {
            _meter = meter;
            for (int at = 0; at < Clients; at++) Open(at);
        }

        public void Do(Step step)
        {
            var client = _clients[step.Pick % Clients];
            int pick = step.Pick / Clients;
            switch (step.Kind)
            {
                case < 45:
                    Send(client, pick % Keys, hasDeadline: step.Kind < 8, isWhole: step.Kind < 40);
                    break;
                case < 55:
                    if (client.Finish() is { } finished) _model.Complete(client.Number, finished);
                    break;
                case < 68:
                    if (client.Cancel(pick) is { } cancelled) _model.GiveUp(_model.Find(client.Number, cancelled), MuxStatus.Cancelled);
                    break;
                case < 72:
                    client.Peer.Time.Advance(TimeSpan.FromMilliseconds(40));
                    _model.Expire(client.Number);
                    break;
                case < 75:
                    client.End();
                    _model.Lose(client.Number);
                    Open(step.Pick % Clients);
                    break;
                default:
                    EndHandler(pick);
                    break;
            }
        }

        /// <summary>Completes a request or ends a handler.</summary>
        /// <returns>False if nothing is left.</returns>
        public bool TryEndOne()
        {
            foreach (var client in _clients)
            {
                if (client.Finish() is not { } finished) continue;
                _model.Complete(client.Number, finished);
                return true;
            }

            return EndHandler(0);
        }

        public void Close()
        {
            Assert.Equal((0, 0), (_keys.Keys, _keys.Waiting));
            Assert.All(_model.Calls, static call => Assert.True(call.IsOver));
            foreach (var client in _clients)
            {
                Assert.Equal(0, client.Peer.Sut.RequestCounts.OpenCount);
                client.End();
            }

            for (int key = 0; key < MaxKeys; key++) Assert.Equal(KeyEntry.Runs, _keys.TryEnter(ulong.MaxValue - (ulong)key, out _)); // all places are free again
        }

        /// <summary>Says what differs from the model; null if nothing does.</summary>
        public string? Difference()
        {
            foreach (var client in _clients) client.Work.RunAll();
            var expected = _model.Running.Select(static call => (call.Client, call.Number)).Order().ToList();
            List<(int Client, int Number)> running;
            lock (_running) running = [.. _running.Select(static handler => (handler.Client, handler.Number)).Order()];
            if (!running.SequenceEqual(expected)) return $"{string.Join(", ", running)} run; expected {string.Join(", ", expected)}.";
            var (counts, expectedCounts) = ((_keys.Keys, _keys.Waiting, _keys.Refused), (_model.Keys, _model.Waiting, _model.Refused));
            if (counts != expectedCounts) return $"Keys, calls that wait and refused ones are {counts}; expected {expectedCounts}.";
            foreach (var client in _clients) client.Read();
            return _model.Calls.Select(DifferenceOf).FirstOrDefault(static difference => difference is not null);
        }

        private string? DifferenceOf(OrderModel.Call call)
        {
            if (Array.Find(_clients, client => client.Number == call.Client) is not { } client) return null; // it is lost
            MuxStatus? status = client.Answers.TryGetValue(call.Number, out var answer) ? answer : null;
            bool isRight = call.MayEndAnyhow ? !call.IsOver || status is not null : status == call.Status;
            return isRight ? null : $"{call} ended with {status}; expected {call.Status}.";
        }

        private void Send(OrderClient client, int key, bool hasDeadline, bool isWhole)
        {
            if (client.Send(key, hasDeadline, isWhole) is not { } number) return;
            _model.Arrive(new(client.Number, number, key) { IsWhole = isWhole, HasDeadline = hasDeadline });
        }

        private bool EndHandler(int pick)
        {
            TaskCompletionSource end;
            lock (_running)
            {
                if (_running.Count == 0) return false;
                int at = pick % _running.Count;
                (int client, int number, end) = _running[at];
                _running.RemoveAt(at);
                _model.End(_model.Find(client, number));
            }

            end.SetResult();
            return true;
        }

        private void Open(int at)
        {
            var client = _clients[at] = new OrderClient(_opened++);
            var descriptor = new MethodDescriptor("test", "Method", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered } };
            var method = new UnaryMethod<byte[], byte[]>(descriptor, BytesCodec.Instance, BytesCodec.Instance, (_, request, _, _) => RunAsync(client, request))
            {
                KeyOf = static (in byte[] request) => KeyHash.Of((long)request[0]),
            };
            var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
            var environment = new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, durations, DetailedErrors: false) { Keys = _keys };
            client.Peer.Methods.Others.Add(new OrderedHandler<byte[], byte[]>(method, new SingletonSource<object>(this), environment, filters: null));
            client.Peer.Define(0, "test/Method");
        }

        private async ValueTask<byte[]> RunAsync(OrderClient client, byte[] request)
        {
            var end = new TaskCompletionSource();
            lock (_running) _running.Add((client.Number, BitConverter.ToInt32(request, 1), end));
            await end.Task;
            return [];
        }
    }
}
