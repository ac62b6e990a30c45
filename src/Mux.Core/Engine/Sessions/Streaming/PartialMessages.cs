using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>The messages in fragments of one direction of calls, at most one of a kind in each slot. Turn only.</summary>
/// <param name="budget">The budget of all messages.</param>
internal sealed class PartialMessages(ReassemblyBudget budget)
{
    /// <summary>
    /// Most messages checked for one refusal. A peer may have as many messages in transit as calls, and a frame of 16 bytes without room must not check all of
    /// them.
    /// </summary>
    private const int LooksPerRefusal = 64;

    private Dictionary<(FrameKind Kind, int Slot), PartialMessage>? _open; // created by the first message, like the next field
    private List<PartialMessage>? _severable; // those of _open that are wanted and whose calls may end without a frame that says so
    private int _count; // of _open
    private int _lookedAt; // index into _severable, from which the check continues towards the front

    /// <summary>True if no message is open. Read for every frame.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>The messages that are wanted.</summary>
    public IEnumerable<PartialMessage> Begun => _open is null ? [] : _open.Values.Where(message => !message.IsUnwanted);

    /// <summary>Finds the message that a frame continues, or null.</summary>
    public PartialMessage? Find(FrameKind kind, CallId id) =>
        _count > 0 && _open!.TryGetValue((kind, id.Slot), out var message) && message.Id == id ? message : null;

    /// <summary>Begins a message if there is room.</summary>
    /// <param name="kind">Kind of its frames.</param>
    /// <param name="id">Id of its call.</param>
    /// <param name="length">Bytes of its body.</param>
    /// <param name="beside">Bytes of what is kept with it until it is whole.</param>
    /// <returns>The message that receives the fragments; null if there is no room.</returns>
    public PartialMessage? TryBegin(FrameKind kind, CallId id, int length, int beside = 0)
    {
        var message = new PartialMessage(kind, id, length, isUnwanted: false, beside);
        return TryBegin(message) ? message : null;
    }

    /// <inheritdoc cref="TryBegin(FrameKind, CallId, int, int)"/>
    /// <returns>True if there is room.</returns>
    public bool TryBegin(PartialMessage message)
    {
        if (!budget.TryBegin(message)) return false;
        Put(message);
        return true;
    }

    /// <summary>Begins a message that is not wanted: only its end is looked for.</summary>
    public void BeginUnwanted(FrameKind kind, CallId id, int length) => Put(new PartialMessage(kind, id, length, isUnwanted: true));

    /// <summary>Adds a fragment.</summary>
    /// <param name="header">Header of the frame.</param>
    /// <param name="payload">The fragment.</param>
    /// <param name="message">The message found by <see cref="Find"/>.</param>
    /// <param name="violation">The rule that the frame breaks, or null.</param>
    /// <returns>
    /// True if the message is complete and no longer listed: the caller returns it. If false, the message may be starved and no longer listed
    /// (<see cref="PartialMessage.IsStarved"/>).
    /// </returns>
    public bool Add(FrameHeader header, ReadOnlySpan<byte> payload, PartialMessage message, out ProtocolViolation? violation)
    {
        if (!Append(header, payload, message, out violation)) return false;
        Remove(message);
        return true;
    }

    /// <summary>Adds a fragment of an item, and hands the item over when it is complete.</summary>
    /// <returns>The rule that the frame breaks, or null. The item may be starved, as after <see cref="Add"/>.</returns>
    public ProtocolViolation? AddOfItem(
        FrameHeader header, ReadOnlySpan<byte> payload, PartialMessage item, IInboundItems items, InboundWindow window, ItemDeliveries deliveries)
    {
        item.Cost += CreditFrame.CostOfItem(payload.Length);
        if (!Append(header, payload, item, out var violation)) return violation;
        Take(item);
        int kept = window.Keep(item.Length);
        budget.Release(item.Reserved - kept); // before it can be consumed
        item.PassOn(kept); // the window releases it
        item.Lend();
        if (items.OnItem(item.Body, item.Cost)) deliveries.Add(items);
        item.Return();
        return null;
    }

    /// <summary>Marks a message as unwanted, if there is one; its fragments may still come.</summary>
    public void Forget(FrameKind kind, CallId id)
    {
        if (Find(kind, id) is not { IsUnwanted: false } message) return;
        Unlist(message);
        budget.Watch.OnOver();
        budget.Release(message.Reserved);
        message.Forget();
    }

    /// <summary>Drops an incomplete message, if there is one.</summary>
    public void Drop(FrameKind kind, CallId id)
    {
        if (Find(kind, id) is { } message) Discard(message);
    }

    /// <summary>
    /// Drops the messages of the slot's last call when a new one begins: that call was answered before its messages ended, and nothing more comes of them.
    /// </summary>
    public void DropSlot(int slot)
    {
        DropOf(FrameKind.Request, slot);
        DropOf(FrameKind.RequestItem, slot);
    }

    /// <summary>Drops messages of calls that other threads have ended. Checks some of them, and others the next time.</summary>
    public void DropStale(Predicate<CallId> isOver)
    {
        if (_severable is null) return;
        for (int looks = Math.Min(_severable.Count, LooksPerRefusal); looks > 0; looks--)
        {
            if (_lookedAt == 0 || _lookedAt > _severable.Count) _lookedAt = _severable.Count;
            var message = _severable[--_lookedAt];
            if (!isOver(message.Id)) continue;
            if (message.Kind == FrameKind.Response) Forget(message.Kind, message.Id); // the end of the reply frees the slot
            else Discard(message);
        }
    }

    /// <summary>Finds the stalled messages: nothing of them came for too long.</summary>
    /// <param name="oldest">Lowered to the time of the last fragment of the other messages, whichever is oldest.</param>
    public List<PartialMessage> FindStalled(ref long oldest)
    {
        List<PartialMessage> stalled = [];
        foreach (var message in Begun)
        {
            if (budget.Watch.IsStalled(message, budget.Used)) stalled.Add(message);
            else oldest = Math.Min(oldest, message.TouchedAt);
        }

        return stalled;
    }

    /// <summary>Drops all messages.</summary>
    public void Clear()
    {
        if (_open is null) return;
        foreach (var message in _open.Values)
        {
            budget.Release(message.Reserved);
            if (!message.IsUnwanted) budget.Watch.OnOver();
            message.Return();
        }

        _open.Clear();
        _severable?.Clear();
        _count = 0;
    }

    /// <summary>True if a thread outside the turn may end the message: streams and replies, but no request that is not whole.</summary>
    private static bool IsSeverable(PartialMessage message) => message is { IsUnwanted: false, Kind: not FrameKind.Request };

    /// <returns>True if the message is complete.</returns>
    private bool Append(FrameHeader header, ReadOnlySpan<byte> payload, PartialMessage message, out ProtocolViolation? violation)
    {
        bool isLast = (header.Flags & FrameFlags.More) == 0;
        violation = FragmentRules.Check(header, payload.Length, message.Length, message.Left, message.Fragments);
        if (violation is not null) return false;
        bool isStarved = !message.IsUnwanted && !budget.TryGrow(message, payload.Length);
        if (isStarved) Starve(message);
        message.Add(payload);
        if (isStarved) return false;
        if (message.IsUnwanted) return isLast;
        budget.Watch.OnFragment(message, payload.Length);
        if (isLast) budget.TinyOfWhole += message.TinyFragments;
        return isLast;
    }

    private void Put(PartialMessage message)
    {
        budget.Begun++;
        (_open ??= []).Add((message.Kind, message.Id.Slot), message);
        _count++;
        if (!message.IsUnwanted) budget.Watch.OnBegun(message);
        if (!IsSeverable(message)) return;
        _severable ??= [];
        message.Place = _severable.Count;
        _severable.Add(message);
    }

    /// <summary>Drops what has arrived of a message for which the server has no memory. The caller counts the rest.</summary>
    private void Starve(PartialMessage message)
    {
        Remove(message);
        message.Forget();
        message.IsStarved = true;
    }

    private void DropOf(FrameKind kind, int slot)
    {
        if (_open is not null && _open.TryGetValue((kind, slot), out var message)) Discard(message);
    }

    private void Discard(PartialMessage message)
    {
        Remove(message);
        message.Return();
    }

    private void Remove(PartialMessage message)
    {
        Take(message);
        budget.Release(message.Reserved);
    }

    /// <summary>Removes a message from the list; its room stays taken.</summary>
    private void Take(PartialMessage message)
    {
        _open!.Remove((message.Kind, message.Id.Slot));
        _count--;
        if (!message.IsUnwanted) budget.Watch.OnOver();
        Unlist(message);
    }

    private void Unlist(PartialMessage message)
    {
        if (!IsSeverable(message)) return;
        var last = _severable![^1];
        _severable[message.Place] = last;
        last.Place = message.Place;
        _severable.RemoveAt(_severable.Count - 1);
    }
}

/// <summary>
/// Receives the items of one call's stream as they arrive. Implemented above this layer, for the consumer of the stream. No member throws or is called under a
/// lock.
/// </summary>
internal interface IInboundItems
{
    /// <summary>The call has begun, and items may come.</summary>
    /// <param name="window">Receives the credit of items that the consumer has taken.</param>
    void Begin(InboundWindow window);

    /// <summary>The sender counts items from the first one on, as <see cref="InboundWindow.TryCountItems"/> knows already. In the turn, ahead of it.</summary>
    /// <param name="items">Items that may be under way without being taken.</param>
    void OnItemWindow(int items)
    {
        // A consumer alone need not know.
    }

    /// <summary>Adds an item. In the turn; the consumer is not notified before <see cref="Publish"/>.</summary>
    /// <param name="body">Valid only during this method.</param>
    /// <param name="cost">Its credit, returned to the peer by <see cref="InboundWindow.OnTaken"/> when the consumer has taken the item.</param>
    /// <returns>True if <see cref="Publish"/> must be called from now on.</returns>
    bool OnItem(ReadOnlySpan<byte> body, int cost);

    /// <summary>Shows the items to the consumer. In the turn, or on the thread that continues with it.</summary>
    /// <param name="turn">The turn in which a waiting consumer may run; null if it must run elsewhere.</param>
    void Publish(Turn? turn);

    /// <summary>Ends the stream.</summary>
    /// <param name="failure">The reason why the stream broke; null at its regular end.</param>
    /// <param name="turn">As with <see cref="Publish"/>; null on any thread that is not in the turn.</param>
    void OnEnd(CallFailure? failure, Turn? turn);

    /// <summary>Ends the stream because the call is over, whether or not it is being read. Any thread.</summary>
    void Abort();
}

/// <summary>
/// Streams that have received items but not notified their consumers yet. A consumer is notified once for several items, because each notification costs as
/// much as an item. Turn only.
/// </summary>
internal sealed class ItemDeliveries
{
    private Queue<IInboundItems>? _streams; // created by the first item

    public bool IsEmpty => _streams is not { Count: > 0 };

    /// <summary>Adds a stream that is not listed yet.</summary>
    public void Add(IInboundItems stream) => (_streams ??= new()).Enqueue(stream);

    /// <summary>Notifies the consumers, in the turn. Stops when another thread has continued the turn, which notifies the rest.</summary>
    public void Run(Turn turn)
    {
        while (!turn.IsLost && _streams is not null && _streams.TryDequeue(out var stream)) stream.Publish(turn);
    }

    /// <summary>Notifies the remaining consumers elsewhere: the thread of the turn is stuck in one of them. On the thread that continues.</summary>
    public void RunElsewhere()
    {
        while (_streams is not null && _streams.TryDequeue(out var stream)) stream.Publish(null);
    }
}
