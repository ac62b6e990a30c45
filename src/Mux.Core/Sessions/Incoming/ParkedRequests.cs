using Mux.Buffers;
using Mux.Sessions.Budgets;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Requests that arrived while the peer takes too few of its replies: they are kept, bounded, and run when bytes go out again. Reading goes on meanwhile,
/// because CANCEL and replies must get through. Guarded by the connection's lock.
/// </summary>
internal sealed class ParkedRequests(long byteLimit)
{
    /// <summary>What a parked request costs beside its body.</summary>
    private const int RequestCharge = 64;

    private readonly Queue<(InboundCall Call, byte[] Body, int Length)> _requests = new();

    /// <summary>What the connection holds of the memory of its server; null where that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    public int Count => _requests.Count;

    public long Bytes { get; private set; }

    /// <summary>Keeps a request, if there is room.</summary>
    public bool TryAdd(in InboundCall call, ReadOnlySpan<byte> body)
    {
        // one is kept however large: else it could never run
        if (Bytes + ChargeOf(call, body.Length) > byteLimit && (Count > 0 || byteLimit == 0)) return false;
        if (Memory is { } memory && memory.TryTake(ChargeOf(call, body.Length)) != MemoryVerdict.Granted) return false;
        var copy = BufferPool.Rent(body.Length);
        body.CopyTo(copy);
        _requests.Enqueue((call, copy, body.Length));
        Bytes += ChargeOf(call, body.Length);
        return true;
    }

    /// <summary>The oldest; its body is the caller's to return.</summary>
    public bool TryTake(out InboundCall call, out byte[] body, out int length)
    {
        bool found = _requests.TryDequeue(out var request);
        (call, body, length) = request;
        if (!found) return false;
        Bytes -= ChargeOf(call, length);
        Memory?.Release(ChargeOf(call, length));
        return true;
    }

    private static long ChargeOf(in InboundCall call, int length) => (long)length + call.HeldBeside + RequestCharge;
}
