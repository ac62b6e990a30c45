using BenchmarkDotNet.Attributes;
using Mux.Engine;

namespace Mux.Benchmarks.Connections;

/// <summary>A slot's life: rented under the lock, completed by the turn, handed back. 200 open at a time; figures per call.</summary>
[MemoryDiagnoser]
public class SlotBenchmarks
{
    private const int Open = 200;

    private readonly Lock _gate = new();
    private readonly OutgoingCall[] _calls = [.. Enumerable.Range(0, Open).Select(_ => new NullCall())];
    private readonly CallSlots _slots;

    public SlotBenchmarks()
    {
        _slots = new CallSlots(_gate);
        _slots.SetLimitLocked(Open);
    }

    [Benchmark(OperationsPerInvoke = Open)]
    public void RentAndComplete()
    {
        foreach (var call in _calls)
        {
            lock (_gate) _slots.TryOpenLocked(call, call, position: 0);
        }

        foreach (var call in _calls) _slots.Complete(call.Id, out _);
        lock (_gate) _slots.ReclaimLocked();
    }

    private sealed class NullCall : OutgoingCall
    {
        public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
        {
        }

        public override void OnFailed(CallFailure failure, bool inTurn)
        {
        }

        public override void OnAppended()
        {
        }
    }
}
