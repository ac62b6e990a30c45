using System.Runtime.CompilerServices;
using Mux.Engine;

namespace Mux.Push;

/// <summary>
/// A reader that sends items by the response stream of a call. It belongs to one thread at a time: the sweep that runs it; while it is idle, the thread that
/// takes it out of its topic.
/// </summary>
internal sealed class PushedReader<T> : TopicReader<T>, IPushedStream
{
    /// <summary>Items that one run sends: some 20 us with small ones. Then the readers behind it come first.</summary>
    private const int MostAtOnce = 256;

    private const string Stopping = "The server is about to stop, and its topics end. Subscribe again: another server takes the call.";

    private readonly OutboundStream _stream;
    private readonly FanOut _fanOut;
    private readonly Action<int>? _onSent;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Action _onContinued;
    private ConfiguredValueTaskAwaitable<bool>.ConfiguredValueTaskAwaiter _wait;
    private MuxException? _failure;
    private volatile bool _isWaiting; // for the peer: what ends the reader meanwhile has to end the stream, too
    private bool _isOver; // the call; owned by the thread that runs it

    public PushedReader(Topic<T> topic, int codec, OutboundStream stream, FanOut fanOut, Action<int>? onSent)
        : base(topic, codec)
    {
        (_stream, _fanOut, _onSent) = (stream, fanOut, onSent);
        _onContinued = OnContinued;
    }

    /// <summary>Ends when the reader does: in a failure, or because the call is over.</summary>
    public Task Ended => _ended.Task;

    public override void Run()
    {
        try
        {
            if (!_isOver && _failure is null && GoesOn()) return;
            End(_failure);
        }
        catch (Exception error)
        {
            _stream.AbortItem();
            End(error); // an item is larger than the peer accepts
        }
    }

    /// <summary>The server drains already: the reader ends without having run.</summary>
    public void EndUnrun() => End(new MuxException(MuxStatus.Unavailable, Stopping));

    /// <summary>The call is over. Any thread.</summary>
    public void Cancel()
    {
        if (Topic.Leave(this)) End(failure: null);
    }

    public void OnDraining() => Fail(MuxStatus.Unavailable, Stopping);

    public override void OnTooSlow() => Fail(MuxStatus.ResourceExhausted, TooSlow);

    private void Fail(MuxStatus status, string text)
    {
        if (Interlocked.CompareExchange(ref _failure, new MuxException(status, text), null) is not null) return;
        if (Topic.Leave(this)) End(_failure);
        else if (_isWaiting) _stream.Abort(); // continues it
    }

    /// <summary>Sends until there is nothing to send, or the peer has to be waited for.</summary>
    /// <returns>False if the reader ends. If true, it belongs to another thread now.</returns>
    private bool GoesOn()
    {
        var portion = default(TopicPortion<T>);
        for (int items = 0; items < MostAtOnce;)
        {
            switch (Topic.Take(this, portion, out int count))
            {
                case TopicNews.Items:
                    int sent = Commit(portion, count);
                    items += sent;
                    _onSent?.Invoke(sent);
                    if (sent == count) break;
                    Topic.GiveBack(this, count - sent);
                    if (!_stream.Flush()) return false;
                    if (Waits(out bool goesOn)) return true;
                    if (!goesOn) return false;
                    break;
                case TopicNews.Nothing:
                    if (!_stream.Flush()) return false;
                    _stream.Release();
                    if (!Topic.TryIdle(this)) _fanOut.Add(this); // what has come meanwhile waits its turn
                    return true;
                case TopicNews.TooMany:
                    Interlocked.CompareExchange(ref _failure, new MuxException(MuxStatus.ResourceExhausted, TooSlow), null);
                    return false;
                case TopicNews.Gap:
                    Interlocked.CompareExchange(ref _failure, Resumption!.Failure(), null);
                    return false;
                default:
                    return false;
            }
        }

        if (!_stream.Flush()) return false;
        _stream.Release();
        _fanOut.Add(this);
        return true;
    }

    /// <summary>Encodes items into the stream, as far as the peer grants credit.</summary>
    /// <returns>Number of items; all of them if the call is over, which the next flush finds out.</returns>
    private int Commit(ReadOnlySpan<TopicItem<T>?> items, int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (!_stream.HasCredit) return i;
            var writer = _stream.BeginItem();
            writer.Write(items[i]!.BodyFor(Codec));
            if (!_stream.CommitItem(ref writer)) break;
        }

        return count;
    }

    /// <summary>Waits for the peer.</summary>
    /// <param name="goesOn">If there is nothing to wait for: false if the call is over.</param>
    /// <returns>True if the reader is run again when the peer grants credit, or the call is over.</returns>
    private bool Waits(out bool goesOn)
    {
#pragma warning disable CA2012, VSTHRD002 // the result is taken once it is there
        _stream.Release();
        _isWaiting = true;
        Interlocked.MemoryBarrier(); // a failure after this line sees it and ends the stream; one before it is seen here
        var wait = _stream.WaitAsync().ConfigureAwait(false).GetAwaiter();
        goesOn = true;
        if (_failure is not null) _stream.Abort(); // ends the wait, whose result is taken like any other: the lane counts it
        if (!wait.IsCompleted)
        {
            HasWaited = true;
            Topic.AddWaiting(this);
            _wait = wait;
            wait.UnsafeOnCompleted(_onContinued);
            return true;
        }

        _isWaiting = false;
        goesOn = wait.GetResult() && _failure is null;
        return false;
#pragma warning restore CA2012, VSTHRD002
    }

    private void OnContinued()
    {
        _isWaiting = false;
        Topic.RemoveWaiting(this);
#pragma warning disable VSTHRD002 // it is there
        _isOver = !_wait.GetResult();
#pragma warning restore VSTHRD002
        _fanOut.Add(this);
    }

    private void End(Exception? failure)
    {
        Topic.Leave(this);
        if (failure is not null) _stream.Flush(); // items before the failure arrive before it
        _stream.Release();
        if (failure is null) _ended.TrySetResult();
        else _ended.TrySetException(failure);
    }
}

/// <summary>Items that a reader takes under one lock. On the stack: a sweep allocates nothing.</summary>
[InlineArray(Length)]
internal struct TopicPortion<T>
{
    public const int Length = 16;

    private TopicItem<T>? _first;
}
