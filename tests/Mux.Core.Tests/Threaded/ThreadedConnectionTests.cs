using System.Buffers.Binary;
using System.Collections.Concurrent;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Core.Tests.Threaded;

/// <summary>Two connections under real threads: callers, cancellers, deliveries, senders, workers and the real clock all at once.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class ThreadedConnectionTests
{
    private const int Callers = 4;
    private const int InFlight = 20;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ThreadedMethods _methods = new();
    private readonly ThreadedOwner _callerOwner = new(), _serverOwner = new();
    private readonly ConcurrentBag<ThreadedCall> _calls = [];
    private readonly Connection _caller, _server;
    private long _nonce;

    public ThreadedConnectionTests()
    {
        var (near, far) = ThreadedLink.CreatePair();
        var options = new ConnectionOptions { UnsentLimit = 10_000, Local = new PeerSettings { MaxCalls = 50 } };
        _caller = new Connection(near, options, _callerOwner, NoMethods.Instance, Clock.Shared, accepting: false);
        _server = new Connection(far, options, _serverOwner, _methods, Clock.Shared, accepting: true);
        _server.Start();
        _caller.Start();
    }

    [Fact]
    public async Task Calls_cancels_and_deadlines_from_many_threads_are_each_decided_once()
    {
        await CallFromManyThreadsAsync(rounds: 300, CallOnceAsync);
        _caller.BeginDrain(10_000_000);
        await EndAsync();

        CheckAll();
        Assert.Contains(_calls, call => call.Failure is null);
        Assert.Contains(_calls, call => call.Failure is { IsCallerCancel: true });
    }

    [Fact]
    public async Task An_orderly_drain_under_load_loses_no_answer()
    {
        var calling = CallFromManyThreadsAsync(rounds: 300, CallToTheEndAsync);
        while (_calls.Count < 2_000) await Task.Yield();
        _server.BeginDrain(30_000_000);
        await calling;
        await EndAsync();

        CheckAll();
        Assert.All(_calls, call => Assert.True(call.Failure is null or { Execution: MuxExecution.NotExecuted }, $"A call was lost: {call.Failure}"));
        Assert.Equal(CloseReason.Drained, _serverOwner.End?.Reason);
    }

    [Fact]
    public async Task A_connection_lost_under_load_decides_every_call()
    {
        var calling = CallFromManyThreadsAsync(rounds: 300, CallToTheEndAsync);
        while (_calls.Count < 2_000) await Task.Yield();
        _server.Abort(new ConnectionEnd(CloseReason.Disposed, "Gone."));
        await calling;
        await EndAsync();

        CheckAll();
    }

    private async Task CallFromManyThreadsAsync(int rounds, Func<Random, Task<bool>> call)
    {
        var callers = Enumerable.Range(0, Callers).Select(seed => Task.Run(async () =>
        {
            var random = new Random(seed);
            for (int round = 0; round < rounds; round++)
            {
                var batch = await Task.WhenAll(Enumerable.Range(0, InFlight).Select(_ => call(random)));
                if (batch.Contains(false)) return;
            }
        }));
        await Task.WhenAll(callers).WaitAsync(s_patience);
    }

    /// <summary>Starts a call and waits for its end.</summary>
    /// <returns>False if the connection took none.</returns>
    private async Task<bool> CallToTheEndAsync(Random random)
    {
        if (Start(random, Clock.Never) is not { } call) return false;
        await call.Done.WaitAsync(s_patience);
        return true;
    }

    /// <summary>The same with a deadline now and then, and a cancel from a third thread.</summary>
    private async Task<bool> CallOnceAsync(Random random)
    {
        if (Start(random, random.Next(4) == 0 ? random.Next(5_000) : Clock.Never) is not { } call) return false;
        if (random.Next(4) == 0) ThreadPool.UnsafeQueueUserWorkItem(Initiator.Cancel, call, preferLocal: false);
        await call.Done.WaitAsync(s_patience);
        return true;
    }

    private ThreadedCall? Start(Random random, long deadline)
    {
        var call = new ThreadedCall(random.Next(2) == 0 ? ThreadedMethods.InTurn : ThreadedMethods.OnPool, Interlocked.Increment(ref _nonce));
        if (deadline != Clock.Never)
        {
            call.StartedAt = Clock.Shared.Now;
            call.Due = call.StartedAt + deadline;
        }

        Span<byte> body = stackalloc byte[sizeof(long) + 200];
        BinaryPrimitives.WriteInt64LittleEndian(body, call.Nonce);
        if (!_caller.Initiator.TryStart(call, body)) return null;
        _calls.Add(call);
        return call;
    }

    private async Task EndAsync()
    {
        await _callerOwner.Released.WaitAsync(s_patience);
        await _serverOwner.Released.WaitAsync(s_patience);
        Assert.True(SpinWait.SpinUntil(() => _server.RequestCounts.OpenCount == 0, s_patience), "A handler never ended.");
    }

    private void CheckAll()
    {
        foreach (var call in _calls)
        {
            Assert.Equal(1, call.Outcomes);
            Assert.False(call.IsMismatch, "A reply came to another call.");
            int executions = _methods.ExecutionsOf(call.Nonce);
            Assert.InRange(executions, call.Failure is null ? 1 : 0, call.Failure is { Execution: MuxExecution.NotExecuted } ? 0 : 1);
        }

        Assert.Equal(_caller.Initiator.Started, _caller.Initiator.TurnTally.Total + _caller.Initiator.LockedTally.Total);
        Assert.DoesNotContain(CloseReason.ProtocolError, new[] { _callerOwner.End!.Reason, _serverOwner.End!.Reason });
        Assert.True(SpinWait.SpinUntil(() => BufferPool.Outstanding == _buffersBefore, s_patience), $"{BufferPool.Outstanding - _buffersBefore} buffers were not returned.");
    }
}
