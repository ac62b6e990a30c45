using Mux.Buffers;
using Mux.Sessions.Budgets;

namespace Mux.Sessions.Incoming;

/// <summary>
/// Requests that arrived while the peer reads its replies too slowly. They are kept, bounded, and run when bytes go out again. Reading continues meanwhile,
/// because CANCEL and replies must get through. Guarded by the connection's lock.
/// </summary>
internal sealed class ParkedRequests(long byteLimit)
{
    /// <summary>
    /// Bytes charged for a parked request in addition to its body: an entry of the queue has 88, of which a queue that grew holds two, and the array of the
    /// body 24.
    /// </summary>
    private const int RequestCharge = 192;

    private readonly Queue<(InboundCall Call, byte[] Body, int Length)> _requests = new();

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    public int Count => _requests.Count;

    public long Bytes { get; private set; }

    /// <summary>Keeps a request, if there is room.</summary>
    public bool TryAdd(in InboundCall call, ReadOnlySpan<byte> body)
    {
        // One request is kept whatever its size: otherwise it could never run.
        if (Bytes + ChargeOf(call, body.Length) > byteLimit && (Count > 0 || byteLimit == 0)) return false;
        if (Memory is { } memory && memory.TryTake(ChargeOf(call, body.Length)) != MemoryVerdict.Granted) return false;
        var copy = BufferPool.Rent(body.Length);
        body.CopyTo(copy);
        _requests.Enqueue((call, copy, body.Length));
        Bytes += ChargeOf(call, body.Length);
        return true;
    }

    /// <summary>Takes the oldest request. The caller returns its body.</summary>
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
