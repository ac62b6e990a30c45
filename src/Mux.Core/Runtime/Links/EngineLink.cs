using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// The life of a link, the same for all engines: which end counts, who may still be inside the link, when its handles are released and its end is reported.
/// </summary>
/// <remarks>
/// <para>States: idle -> (connecting) -> open -> over -> reported. <see cref="Link.ShutdownSend"/> may end the sending direction of an open link first.</para>
/// <para>The first end counts, whichever thread finds it; from then on the link receives and sends nothing. A <em>party</em> may still call the handler, or use
/// a handle or buffer of the link. The loop (connecting, then receiving) is a party from <see cref="Start"/> on and leaves once the link is over; so is every
/// operation in progress that a derived class lets in with <see cref="TryEnter"/>. The last party to leave queues the report, because it may be a thread inside
/// a member, where the handler must not be called. A link that is closed before it is started releases its handles in <see cref="Close"/>.</para>
/// </remarks>
internal abstract class EngineLink : Link, IThreadPoolWorkItem
{
    private ILinkHandler? _handler;
    private PartyCount _parties;
    private int _isTaken; // 1 once started, or closed instead of started
    private LinkEnd? _end; // set once, by the thread that finds the end first

    /// <summary>True once the end is decided.</summary>
    public bool IsOver => Volatile.Read(ref _end) is not null;

    /// <summary>The handler of a started link.</summary>
    protected ILinkHandler Handler => _handler!;

    public sealed override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _parties.Open();
        if (Interlocked.Exchange(ref _isTaken, 1) != 0) Leave();
        else Begin();
    }

    public sealed override void Close()
    {
        Decide(LinkCloseCause.Closed, null);
        if (Interlocked.Exchange(ref _isTaken, 1) == 0) Release();
        else Stop(isClosed: true);
    }

    /// <summary>Makes the caller a party. False if the link is reported, or about to be.</summary>
    public bool TryEnter() => _parties.TryEnter();

    /// <summary>Leaves as a party. The loop does so only after the end is decided.</summary>
    public void Leave()
    {
        if (_parties.Leave()) Queue();
    }

    /// <summary>Ends the link, unless it is over.</summary>
    public void End(LinkCloseCause cause, Exception? error)
    {
        if (Decide(cause, error)) Stop(isClosed: false);
    }

    /// <summary>Ends the link because its handler broke its promise.</summary>
    public void EndUnsound() =>
        End(LinkCloseCause.Failed, new InvalidOperationException("The link's handler consumed bytes it was not given, or left too many."));

    /// <summary>
    /// The work item: connects or opens the link, and at the end reports it. One that has failed to connect by then is reported at once: each further item
    /// wakes a thread, which costs more than a dial in vain, and a client may have a thousand servers that are away.
    /// </summary>
    void IThreadPoolWorkItem.Execute()
    {
        while (!_parties.IsEmpty)
        {
            if (IsOver ? !_parties.Leave() : !Open()) return;
        }

        Release();
        Handler.OnClosed(_end!.Cause, _end.Error);
    }

    /// <summary>
    /// Starts the loop of a link that was just started: as a work item, because the handler must not be called from here, and the ExecutionContext of the
    /// caller must not follow the link.
    /// </summary>
    protected virtual void Begin() => Queue();

    /// <summary>Runs the link's work item soon, on another thread.</summary>
    protected virtual void Queue() => EnginePool.Queue(this);

    /// <summary>Connects with <see cref="Connect"/> if there is no connection yet. Otherwise connects the handler and receives.</summary>
    /// <returns>What <see cref="Connect"/> has returned; otherwise false.</returns>
    protected abstract bool Open();

    /// <summary>Connects a dialed link, then opens it.</summary>
    /// <remarks>
    /// Not by an await: if another thread completes the task at that moment, it would continue on the .NET thread pool, which may be full of blocked user code.
    /// </remarks>
    /// <param name="connecting">Publishes the connection before it completes. Its result is why there is none, or null.</param>
    /// <returns>True if it is complete: the work item continues. Otherwise the link queues it when it is.</returns>
    protected bool Connect(Task<Exception?> connecting)
    {
        if (connecting.IsCompleted)
        {
            NoteConnected(connecting);
            return true;
        }

        _ = connecting.ContinueWith(
            static (ended, self) => ((EngineLink)self!).OnConnected(ended),
            this,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        return false;
    }

    private void OnConnected(Task<Exception?> ended)
    {
        NoteConnected(ended);
        Queue();
    }

    private void NoteConnected(Task<Exception?> ended)
    {
        try
        {
#pragma warning disable VSTHRD002 // it is complete
            if (ended.GetAwaiter().GetResult() is { } failure) Decide(LinkCloseCause.ConnectFailed, failure);
#pragma warning restore VSTHRD002
            else if (IsOver) Stop(isClosed: false); // the connection is published before. Close does it the other way round, so one of the two ends it
        }
        catch (Exception e) // after Close this is a cancellation, and the end is already decided
        {
            Decide(LinkCloseCause.ConnectFailed, e);
        }
    }

    /// <summary>Decides the end without stopping the parties.</summary>
    /// <returns>False if the link was over.</returns>
    protected bool Decide(LinkCloseCause cause, Exception? error) =>
        Interlocked.CompareExchange(ref _end, new LinkEnd(cause, error), null) is null;

    /// <summary>Makes the parties leave soon, now that the end is decided. May be called again, on any thread.</summary>
    /// <param name="isClosed">True if <see cref="Close"/> was called, perhaps after another end; connecting ends, too.</param>
    protected abstract void Stop(bool isClosed);

    /// <summary>
    /// Releases handles and buffers, as no party is left. Also called by the first <see cref="Close"/> of a link that was not started: a second call follows if
    /// it is started nevertheless.
    /// </summary>
    protected abstract void Release();

    private sealed record LinkEnd(LinkCloseCause Cause, Exception? Error);
}
