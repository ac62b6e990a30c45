using Mux.Buffers;
using Mux.Sessions.Budgets;
using Mux.Sessions.Messages;
using Mux.Wire;

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

    private SeldomQueue<ParkedRequest> _requests;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    public int Count => _requests.Count;

    public long Bytes { get; private set; }

    /// <summary>Keeps a request, if there is room.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request, which is copied.</param>
    /// <param name="spare">
    /// Bytes that small requests may hold above the limit, while the server has much memory: callers send large ones again, and keep no small ones for that.
    /// </param>
    /// <param name="from">The message that has the body, which passes on its memory of the server; null if the request came in one frame.</param>
    /// <param name="lack">The limit of the server that prevents it, if it is one of those.</param>
    public bool TryAdd(in InboundCall call, ReadOnlySpan<byte> body, long spare, PartialMessage? from, out MemoryVerdict lack)
    {
        lack = MemoryVerdict.Granted;
        long charge = (long)body.Length + call.HeldBeside + RequestCharge;
        // One request is kept whatever its size: otherwise it could never run.
        bool isAbove = Bytes + charge > byteLimit && (Count > 0 || byteLimit == 0);
        if (isAbove && (byteLimit == 0 || body.Length > ProtocolConstants.MaxWholeBody || Bytes + charge > byteLimit + spare)) return false;
        if (Memory is { } memory)
        {
            long passed = from?.PassOn(charge) ?? 0;
            if (passed > 0) memory.Take(charge - passed);
            else if (isAbove && !memory.TryTakeAhead(charge)) return false;
            else if (!isAbove && (lack = memory.TryTake(charge)) != MemoryVerdict.Granted) return false;
        }

        var copy = BufferPool.Rent(body.Length);
        body.CopyTo(copy);
        _requests.Enqueue(new ParkedRequest(call, copy, body.Length, charge));
        Bytes += charge;
        return true;
    }

    /// <summary>Takes the oldest request. The caller owns its body and its charge.</summary>
    public bool TryTake(out ParkedRequest request)
    {
        if (!_requests.TryDequeue(out request)) return false;
        Bytes -= request.Charge;
        return true;
    }
}
