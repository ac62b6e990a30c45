using System.Threading.Tasks.Sources;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Engine;

/// <summary>
/// The sending half of one call's stream. Its producer encodes items into a private block, without a lock. It hands them over when the block is full, or when
/// it must wait for the next item or for credit. So items made together are sent together.
/// </summary>
/// <remarks>
/// Items are made by one thread at a time, the producer: <see cref="BeginItem"/>, <see cref="CommitItem"/>, <see cref="Flush"/>, <see cref="WaitAsync"/>,
/// <see cref="Release"/>. Credit and end come from other threads, under the connection's lock.
/// </remarks>
internal sealed class OutboundStream : OutboundFlow, IValueTaskSource<bool>, IThreadPoolWorkItem
{
    /// <summary>Most bytes of items handed over at once.</summary>
    private const int BlockLimit = BulkLane.Portion;

    /// <summary>An item begins in the block if at least this much of it is free.</summary>
    private const int MinItemSpace = 1024;

    /// <summary>Credit in items of a stream that has none: more than it will ever use.</summary>
    private const long Uncounted = long.MaxValue / 2;

    private readonly Session _session;
    private readonly FrameKind _kind;
    private readonly MessageBuffer _outgrown = new(); // for an item that does not fit into the block
    private WaitSource _wait;
    private OutboundBlock? _block;
    private long _cost; // of the items in the block
    private long _available; // credit, as far as the producer knows
    private int _items; // in the block
    private long _itemsAvailable = Uncounted; // as far as the producer knows
    private int _itemWindow; // to be announced ahead of the first item; 0 if there is none

    // Guarded by the connection's lock.
    private long _credit;
    private long _itemCredit = Uncounted;
    private bool _isOver;
    private bool _isAwaited;
    private bool _isAdmitted; // woken because the lane has room; the lane must learn when the producer has continued

    /// <param name="session">The session of the call.</param>
    /// <param name="id">Id of the call.</param>
    /// <param name="kind">Kind of its items.</param>
    /// <param name="credit">Credit that the peer grants at the start.</param>
    /// <param name="priority">Its share of the lane.</param>
    public OutboundStream(Session session, CallId id, FrameKind kind, long credit, MuxCallPriority priority)
        : base(priority)
    {
        (_session, Id, _kind) = (session, id, kind);
        _credit = _available = credit;
    }

    public CallId Id { get; }

    /// <summary>The streams of the connection that have no end of their own.</summary>
    public PushedStreams Pushed => _session.Pushed;

    /// <summary>
    /// Metadata that goes ahead of the first item, as far as its producer has added it by then; null once an item was made, or if the peer does not read it
    /// there. Owned by the producer.
    /// </summary>
    public MuxMetadata? Ahead { get; set; }

    /// <summary>What went ahead of the first item, so that the end of the call does not repeat it; null if nothing did. Owned by the producer.</summary>
    public MuxMetadata? SentAhead { get; private set; }

    /// <summary>True if items were handed over that are not sent: the stream is incomplete. Guarded by the connection's lock.</summary>
    public bool IsCut { get; private set; }

    /// <summary>
    /// True if an item may be made now, as far as the producer knows: the peer grants credit, and the items of all streams that wait here are below the limit.
    /// </summary>
    public bool HasCredit => _available > _cost && _itemsAvailable > _items && _session.Outbound.BulkHasRoom;

    private bool HasCreditLocked
    {
        get
        {
            _session.AssertLocked();
            return _credit > 0 && _itemCredit > 0;
        }
    }

    /// <summary>
    /// Lets only a few items be under way that the peer's consumer has not taken, however small they are: they age there. Called by the producer before the
    /// first item. Without effect if the peer does not count items.
    /// </summary>
    /// <param name="items">Number of items, at least 1.</param>
    public void LimitItems(int items)
    {
        if (!_session.Peer.ReadsItemWindows) return;
        _itemWindow = items;
        lock (_session.Gate) _itemCredit = _itemsAvailable = items;
    }

    /// <summary>Gets the writer for the next item.</summary>
    public MessageWriter BeginItem()
    {
        _block ??= OutboundBlock.Rent(OutboundBlock.Size);
        if (_itemWindow > 0)
        {
            _block.Commit(FrameWriter.Credit(_block.Free, FrameKind.ItemWindow, Id, _itemWindow));
            _itemWindow = 0;
        }

        return new MessageWriter(_block.Free[FrameHeader.Size..], _outgrown);
    }

    /// <summary>Adds the encoded item.</summary>
    /// <returns>False if the call and the stream are over.</returns>
    /// <exception cref="MuxException">The item is larger than the peer accepts. Nothing of it is sent.</exception>
    public bool CommitItem(ref MessageWriter writer)
    {
        var body = writer.Written;
        if (Ahead is not null && TryCommitFirst(body) is { } goesOn) return goesOn;
        if (body.Length > ProtocolConstants.MaxWholeBody) return CommitLarge(body, null, 0);
        if (_block!.FreeLength < FrameHeader.Size + body.Length && !Flush()) return Abandon();
        var block = _block ??= OutboundBlock.Rent(OutboundBlock.Size);
        if (!IsInPlace(block, body)) body.CopyTo(block.Free[FrameHeader.Size..]);
        return CommitWhole(block, FrameFlags.None, body.Length);
    }

    /// <summary>Drops an item that could not be encoded.</summary>
    public void AbortItem() => _outgrown.Release();

    /// <summary>Hands over the items made so far.</summary>
    /// <returns>False if the call and the stream are over.</returns>
    public bool Flush()
    {
        if (_block is not { UnsentLength: > 0 }) return !Volatile.Read(ref _isOver);
        OutboundBlock? batch = null;
        lock (_session.Gate)
        {
            if (_isOver) return false;
            HandOverLocked();
            batch = _session.Sending.TakeLocked();
        }

        if (batch is not null) _session.Sending.Run(batch);
        return true;
    }

    /// <summary>Hands over the items made so far, followed by the end of the stream.</summary>
    public void End()
    {
        OutboundBlock? batch = null;
        lock (_session.Gate)
        {
            if (!_isOver)
            {
                if (_block is { UnsentLength: > 0 }) HandOverLocked();
                Span<byte> end = stackalloc byte[FrameHeader.Size];
                FrameWriter.RequestEnd(end, Id);
                AppendBehindLocked(end);
                batch = _session.Sending.TakeLocked();
            }
        }

        Release();
        if (batch is not null) _session.Sending.Run(batch);
    }

    /// <summary>Waits until items may be sent. Everything was flushed.</summary>
    /// <returns>False if the call and the stream are over.</returns>
    public ValueTask<bool> WaitAsync()
    {
        lock (_session.Gate)
        {
            _available = _credit;
            if (_isOver) return new ValueTask<bool>(false);
            _itemsAvailable = _itemCredit;
            if (HasCreditLocked)
            {
                if (_session.Outbound.BulkLocked.HasRoom) return new ValueTask<bool>(true);
                AwaitRoomLocked();
            }

            _wait.Begin();
            _isAwaited = true;
            return new ValueTask<bool>(this, _wait.Version);
        }
    }

    /// <summary>Releases the producer's memory while it waits for its next item, or at its end.</summary>
    public void Release()
    {
        _block?.Return();
        _block = null;
    }

    /// <summary>Appends a frame after everything the call has sent.</summary>
    public void AppendBehindLocked(ReadOnlySpan<byte> frame)
    {
        _session.AssertLocked();
        if (IsEmpty)
        {
            _session.Outbound.CopyLocked(frame);
            return;
        }

        var block = OutboundBlock.Rent(frame.Length);
        frame.CopyTo(block.Free);
        block.Commit(frame.Length);
        _session.Outbound.BulkLocked.Add(this, block);
    }

    /// <summary>Handles credit of the peer.</summary>
    /// <returns>The rule that the credit breaks, or null.</returns>
    public ProtocolViolation? AddCreditLocked(int bytes)
    {
        _session.AssertLocked();
        bool hadCredit = HasCreditLocked;
        _credit += bytes;
        if (_credit > int.MaxValue) return new(ConnectionCode.FlowControlError, $"The credit of call {Id} is {_credit} bytes; the limit is {int.MaxValue}.");
        ContinueLocked(hadCredit);
        return null;
    }

    /// <summary>Handles credit in items.</summary>
    /// <returns>The rule that the credit breaks, or null.</returns>
    public ProtocolViolation? AddItemCreditLocked(int items)
    {
        _session.AssertLocked();
        if (_itemCredit > int.MaxValue) return new(ConnectionCode.ProtocolError, $"{FrameKind.ItemCredit} for call {Id}, whose items are not counted.");
        bool hadCredit = HasCreditLocked;
        _itemCredit += items;
        if (_itemCredit > int.MaxValue)
        {
            return new(ConnectionCode.FlowControlError, $"The credit of call {Id} is {_itemCredit} items; the limit is {int.MaxValue}.");
        }

        ContinueLocked(hadCredit);
        return null;
    }

    private void ContinueLocked(bool hadCredit)
    {
        _session.AssertLocked();
        if (hadCredit || !HasCreditLocked || !_isAwaited) return;
        if (_session.Outbound.BulkLocked.HasRoom) WakeLocked();
        else AwaitRoomLocked();
    }

    private void AwaitRoomLocked()
    {
        _session.AssertLocked();
        _session.Outbound.BulkLocked.AwaitRoom(this);
        _session.AwaitMemoryLocked();
    }

    public override bool OnRoom()
    {
        if (!_isAwaited || !HasCreditLocked) return false;
        _isAdmitted = true;
        WakeLocked();
        return true;
    }

    /// <summary>Ends the stream: the call is over.</summary>
    /// <param name="drops">True if queued items are not sent.</param>
    public void EndLocked(bool drops)
    {
        _session.AssertLocked();
        if (_isOver) return;
        _isOver = true;
        IsCut = drops && !IsEmpty;
        if (drops) _session.Outbound.BulkLocked.Drop(this);
        if (_isAwaited) WakeLocked();
    }

    /// <summary>Ends the stream and drops queued items: the call is over. Any thread.</summary>
    public void Abort()
    {
        lock (_session.Gate) EndLocked(drops: true);
    }

    void IThreadPoolWorkItem.Execute() => _wait.End(!Volatile.Read(ref _isOver));

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        lock (_session.Gate)
        {
            (_available, _itemsAvailable) = (_credit, _itemCredit);
            if (_isAdmitted)
            {
                _isAdmitted = false;
                _session.Outbound.BulkLocked.OnAdmitted();
            }
        }

        return _wait.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _wait.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        if (!_wait.TryAttach(continuation, state, token, flags)) _session.Options.Work.AddUserCode(this);
    }

    private static bool IsInPlace(OutboundBlock block, ReadOnlySpan<byte> body) => body.Overlaps(block.Free);

    /// <summary>Adds the first item, with metadata ahead of it.</summary>
    /// <returns>
    /// As <see cref="CommitItem"/>; null if nothing was added, because there is no metadata or it does not fit ahead of the item. Then all of it goes with the
    /// end of the call, which reports what is too much.
    /// </returns>
    private bool? TryCommitFirst(ReadOnlySpan<byte> body)
    {
        var metadata = Ahead!.Count == 0 ? null : Ahead.Copy();
        Ahead = null;
        if (!MetadataBlock.TryMeasure(metadata, _session.Peer.MaxMetadata, out int length) || length == 0) return null;
        if (length + body.Length > ProtocolConstants.MaxWholeBody)
        {
            if (body.IsEmpty || FragmentHead.Length + length > _session.Peer.MaxFramePayload) return null;
            bool goesOn = CommitLarge(body, metadata, length);
            SentAhead = metadata; // not if the item is too large, and the call fails
            return goesOn;
        }

        SentAhead = metadata;
        var block = _block!; // nothing is in it yet, so there is room
        body.CopyTo(block.Free[(FrameHeader.Size + length)..]); // first: the body may begin where the metadata goes
        MetadataBlock.Write(block.Free[FrameHeader.Size..], metadata!);
        return CommitWhole(block, FrameFlags.Meta, length + body.Length);
    }

    /// <summary>Adds an item whose payload is in the block, behind the place of its header.</summary>
    private bool CommitWhole(OutboundBlock block, FrameFlags flags, int payloadLength)
    {
        _outgrown.Release();
        new FrameHeader(_kind, flags, Id, payloadLength).Write(block.Free);
        block.Commit(FrameHeader.Size + payloadLength);
        _cost += CreditFrame.CostOfItem(payloadLength);
        _items++;
        bool isFull = block.UnsentLength >= BlockLimit || block.FreeLength < MinItemSpace;
        return !isFull || Flush();
    }

    /// <summary>
    /// Adds an item that takes more than one frame: the first announces its length, and fragments of the body follow from the message's own memory.
    /// </summary>
    private bool CommitLarge(ReadOnlySpan<byte> body, MuxMetadata? metadata, int metadataLength)
    {
        if (body.Length > _session.Peer.MaxMessage)
        {
            int tooLong = body.Length;
            AbortItem();
            throw new MuxException(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Encode, endpoint: null,
                $"An item is {tooLong} bytes; {_session.Peer.DescribeMaxMessage(_session.IsAccepting)}. " +
                $"Send smaller items, or {PeerSettings.NameOptionsFor(tooLong)}.");
        }

        var message = BulkMessage.Take(_outgrown, body);
        int length = message.Left;
        _outgrown.Release();
        OutboundBlock? batch = null;
        lock (_session.Gate)
        {
            if (_isOver)
            {
                message.LetGo();
                return Abandon();
            }

            if (_block is { UnsentLength: > 0 }) HandOverLocked();
            Span<byte> first = stackalloc byte[FrameHeader.Size + FragmentHead.Length];
            if (metadata is not null) first = new byte[first.Length + metadataLength];
            int at = FrameWriter.FirstFragment(first, _kind, Id, metadataLength, length);
            if (metadata is not null) MetadataBlock.Write(first[at..], metadata);
            AppendBehindLocked(first);
            message.Begin(_kind, Id, _session.MaxFragment, isCharged: false);
            _credit -= CreditFrame.CostOfItem(FragmentHead.Length + metadataLength) + CostOfFragments(length);
            _available = _credit;
            _itemsAvailable = --_itemCredit;
            _session.Outbound.BulkLocked.Add(this, message);
            batch = _session.Sending.TakeLocked();
        }

        if (batch is not null) _session.Sending.Run(batch);
        return true;
    }

    private long CostOfFragments(int length)
    {
        int largest = _session.MaxFragment;
        int rest = length % largest;
        return (length / largest * (long)CreditFrame.CostOfItem(largest)) + (rest > 0 ? CreditFrame.CostOfItem(rest) : 0);
    }

    private void HandOverLocked()
    {
        _session.AssertLocked();
        var outbound = _session.Outbound;
        if (outbound.TakesStreamLocked(this, _block!.UnsentLength))
        {
            outbound.CopyLocked(_block.Unsent);
            _block.Clear();
        }
        else
        {
            outbound.BulkLocked.Add(this, _block);
            _block = null;
        }

        _session.Sent.ItemCost += _cost;
        _credit -= _cost;
        _itemCredit -= _items;
        (_cost, _items) = (0, 0);
        (_available, _itemsAvailable) = (_credit, _itemCredit);
    }

    private void WakeLocked()
    {
        _session.AssertLocked();
        _isAwaited = false;
        _session.Options.Work.AddUserCode(this);
    }

    private bool Abandon()
    {
        _outgrown.Release();
        return false;
    }
}

/// <summary>The streams of one call of the peer. Created with its REQUEST, before any other frame of the call; listed until the call is answered.</summary>
/// <param name="items">Receives the request stream; null if there is none.</param>
/// <param name="window">Credit of the request stream.</param>
/// <param name="responses">Sends the response stream; null if there is none.</param>
/// <param name="maxItem">Most bytes of an item that is accepted.</param>
internal sealed class AcceptedStream(IInboundItems? items, InboundWindow? window, OutboundStream? responses, int maxItem)
{
    public IInboundItems? Items => items;

    public InboundWindow? Window => window;

    public OutboundStream? Responses => responses;

    public int MaxItem => maxItem;

    /// <summary>True if an item was refused, and the request stream with it: the rest of it is ignored, except its end. Owned by the turn.</summary>
    public bool IsRefused { get; set; }

    /// <summary>True if REQUEST_END came. Owned by the turn.</summary>
    public bool IsEnded { get; set; }

    /// <summary>Ends both streams: the call is cancelled, or its handler has returned. Any thread.</summary>
    public void Abort()
    {
        items?.Abort();
        responses?.Abort();
    }

    /// <summary>Ends both streams because the call is answered. Under the connection's lock.</summary>
    /// <param name="drops">True if queued items of the response stream are not sent.</param>
    public void Close(bool drops)
    {
        window?.EndLocked();
        responses?.EndLocked(drops);
    }
}

/// <summary>
/// Decides, once, between the start of a call's request stream and another attempt of the call: items that were taken cannot be had again. The end of the
/// connection may fail an attempt on one thread before the thread that has appended its request says so. Safe for concurrent use.
/// </summary>
internal struct PumpingRight
{
    private static readonly object s_taken = new();

    private object? _state; // null, the stream of the last attempt that was given up, or that the right is taken

    /// <summary>Takes the right to send items. The request of the call was appended.</summary>
    /// <returns>False if it is taken, or the attempt was given up: then another one has its own start.</returns>
    public bool TryTake(OutgoingStreamCall call)
    {
        while (true)
        {
            var state = Volatile.Read(ref _state); // before the stream, which the next attempt replaces
            if (state == s_taken || call.Requests is not { } target || target == state) return false;
            if (Interlocked.CompareExchange(ref _state, s_taken, state) == state) return true;
        }
    }

    /// <summary>Gives up the attempt that has failed, so that no items are sent by it.</summary>
    /// <returns>False if items may have been taken: the call must not be repeated.</returns>
    public bool TryGiveUp(OutgoingStreamCall call)
    {
        var state = Volatile.Read(ref _state);
        if (state == s_taken) return false;
        return call.Requests is not { } lost || Interlocked.CompareExchange(ref _state, lost, state) == state;
    }
}
