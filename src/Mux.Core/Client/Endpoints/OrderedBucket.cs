using System.Diagnostics;
using Mux.Engine;

namespace Mux.Client;

/// <summary>
/// Keys that share a connection, from the first of their calls to the answer of the last. Guarded by a lock of <see cref="OrderedCalls"/>.
/// </summary>
internal struct OrderedBucket
{
    private static readonly Comparer<Waiter> s_bySequence = Comparer<Waiter>.Create(static (one, other) => one.Sequence.CompareTo(other.Sequence));

    private SortedSet<Waiter>? _waiting; // calls that later ones must not overtake: held, or on the way to a connection once more
    private long _sequence; // of the last call
    private long _stamp; // of the last waiter
    private int _open;
    private PooledConnection? _connection; // of the open calls; null while it takes none
    private int _removals; // of its queue, when it got the first of them
    private OrderedReceipt? _receipts; // one for each of its one-way methods

    /// <summary>True if a call may start now, unless an earlier one waits.</summary>
    /// <remarks>A connection that has given back calls takes no more for this bucket until none is open: earlier ones may be on the way back.</remarks>
    private readonly bool IsFree =>
        _open == 0 || (_connection is { Connection: { TakesCalls: true } connection } && connection.Waiting.Removals == _removals);

    /// <summary>True if a call waits and none is open: then the connection is chosen anew.</summary>
    private readonly bool IsLeft => _open == 0 && _waiting is { Count: > 0 };

    /// <summary>Gives a call its place in the order, if it has none.</summary>
    public void Number(OutgoingCall call)
    {
        if (call.Sequence == 0) call.Sequence = ++_sequence;
    }

    /// <summary>Gets the receipt of a one-way call, which all calls of its method share; null if it is the first of them.</summary>
    public readonly OrderedReceipt? ReceiptOf(OutgoingCall call)
    {
        var receipt = _receipts;
        while (receipt is not null && receipt.Method != call.Method) receipt = receipt.NextOfBucket;
        return receipt;
    }

    /// <summary>Keeps a receipt for the calls of its method.</summary>
    public OrderedReceipt Keep(OrderedReceipt receipt)
    {
        receipt.NextOfBucket = _receipts;
        return _receipts = receipt;
    }

    /// <summary>True if a call may start now.</summary>
    public readonly bool IsNext(long sequence) => IsFree && (_waiting is not { Count: > 0 } waiting || waiting.Min.Sequence >= sequence);

    /// <summary>Counts a call that may start on the connection of the open calls, or on the one that was chosen if none is open.</summary>
    /// <param name="sequence">Its place.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="removals">Those of its queue when it got the first of the calls.</param>
    /// <param name="stamp">The stamp of the call if later ones wait for it, for <see cref="Start"/>; otherwise 0.</param>
    /// <returns>False if there is no connection.</returns>
    public bool TryOpen(long sequence, ref PooledConnection? connection, out int removals, out long stamp)
    {
        if (_open > 0) connection = _connection;
        else if (connection is not null) (_connection, _removals) = (connection, connection.Connection.Waiting.Removals);
        (removals, stamp) = (_removals, 0);
        if (connection is null) return false;
        _open++;
        if (_waiting is not null && _waiting.TryGetValue(new(sequence), out var waiter)) stamp = waiter.Stamp;
        return true;
    }

    /// <summary>A call is not open any longer.</summary>
    /// <returns>True if held calls may start now.</returns>
    public bool Leave()
    {
        Debug.Assert(_open > 0);
        if (--_open == 0) _connection = null; // keeps no connection that has ended
        return IsLeft;
    }

    /// <summary>A call is not open any longer, and is on its way to another connection: its old one takes no more calls for the bucket.</summary>
    /// <inheritdoc cref="Leave()"/>
    public bool GiveBack(long sequence)
    {
        Debug.Assert(_open > 0);
        bool mayStart = --_open == 0 && IsLeft;
        _connection = null; // it would come back to the same connection while that opens
        Wait(sequence, null);
        return mayStart;
    }

    /// <summary>Has later calls wait for a call, until it is started or over.</summary>
    /// <param name="sequence">Its place.</param>
    /// <param name="held">The call, if it is held; null if it is on its way.</param>
    public void Wait(long sequence, OutgoingCall? held)
    {
        var waiter = new Waiter(sequence, held, ++_stamp);
        _waiting ??= new(s_bySequence);
        _waiting.Remove(waiter);
        _waiting.Add(waiter);
    }

    /// <summary>A call is on a connection: later ones may follow. Unless it has come back by now, and waits once more.</summary>
    /// <inheritdoc cref="Leave()"/>
    public readonly bool Start(long sequence, long stamp) =>
        _waiting is not null && _waiting.TryGetValue(new(sequence), out var waiter) && waiter.Stamp == stamp && End(sequence);

    /// <summary>A call that waits is over.</summary>
    /// <inheritdoc cref="Leave()"/>
    public readonly bool End(long sequence) => _waiting is not null && _waiting.Remove(new(sequence)) && _waiting.Count > 0 && IsFree;

    /// <summary>Finds the call that may start next. Null if none may, or it is on its way.</summary>
    public readonly OutgoingCall? Next(out long sequence)
    {
        var first = _waiting is { Count: > 0 } waiting && IsFree ? waiting.Min : default;
        sequence = first.Sequence;
        return first.Held;
    }

    private readonly record struct Waiter(long Sequence, OutgoingCall? Held = null, long Stamp = 0);
}
