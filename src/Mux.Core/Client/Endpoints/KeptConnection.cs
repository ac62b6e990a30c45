using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.Transports;

namespace Mux.Client;

/// <summary>
/// Chooses the one connection of a channel on which a server finds the client: the oldest that is open. Runs the user's code on it, and replaces it when it
/// drains or is lost. Safe for concurrent use.
/// </summary>
internal sealed class KeptConnection : IConnectionWatch
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly List<Connection> _open = []; // connections that take calls, the oldest first
    private Connection? _current; // the first of them
    private readonly AsyncLocal<bool> _isInUserCode = new();
    private readonly RateLimit _failureLog = new(TimeSpan.FromMinutes(1)); // like that of failed connects
    private TaskCompletionSource<ConnectionEnd?> _firstRun = NewRun(); // of those that wait; after a failure another one takes its place
    private bool _hasRun; // the user's code has ended well once

    /// <summary>True if there is to be one without calls.</summary>
    public required bool IsKept { get; init; }

    /// <summary>The user's code; null if there is none.</summary>
    public required Func<MuxPeer, CancellationToken, ValueTask>? UserCode { get; init; }

    /// <inheritdoc/>
    /// <remarks>It is complete if there is no code, and in the code itself, which would wait for its own end.</remarks>
    public Task<ConnectionEnd?> FirstRun
    {
        get
        {
            lock (_gate)
            {
                bool waits = UserCode is not null && !_hasRun && !_isInUserCode.Value;
                return waits ? _firstRun.Task : Task.FromResult<ConnectionEnd?>(null);
            }
        }
    }

    /// <summary>The channel is disposed: nothing runs any longer.</summary>
    public void Close() => OnRunFailed("The channel is disposed.", error: null);

    /// <inheritdoc/>
    public void OnOpened(Connection connection)
    {
        bool isNext, isAlone;
        lock (_gate)
        {
            bool takesCalls = connection.TakesCalls; // false if it has left on another thread, which comes here before or after
            (isNext, isAlone) = (takesCalls && _current is null, !takesCalls && _current is null);
            if (takesCalls) _open.Add(connection);
            if (isNext) _current = connection;
        }

        if (isNext) Begin(connection);
        else if (isAlone) OnRunFailed(Left, error: null);
    }

    /// <inheritdoc/>
    public void OnLeft(Connection connection)
    {
        Connection? next = null;
        bool isAlone;
        lock (_gate)
        {
            _open.Remove(connection);
            if (_current == connection) _current = next = _open.Find(static open => open.TakesCalls); // not one that is about to come here, too
            isAlone = _current is null;
        }

        if (next is not null) Begin(next);
        else if (isAlone && IsKept) PoolOf(connection).DialFirstEmpty(); // after the pause that the pool keeps
    }

    private const string Left = "The connection has ended before OnOpened had.";

    private static TaskCompletionSource<ConnectionEnd?> NewRun() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Tells those that wait that a run has failed. The next one may succeed.</summary>
    private void OnRunFailed(string text, Exception? error)
    {
        TaskCompletionSource<ConnectionEnd?> run;
        lock (_gate)
        {
            if (_hasRun) return;
            (run, _firstRun) = (_firstRun, NewRun());
        }

        run.TrySetResult(new ConnectionEnd(CloseReason.ConnectFailed, text, error));
    }

    private void OnRun()
    {
        lock (_gate) _hasRun = true;
        _firstRun.TrySetResult(null); // nothing replaces it any more
    }

    private static ConnectionPool PoolOf(Connection connection) => ((PooledConnection)connection.Owner).Pool;

    private bool IsCurrent(Connection connection)
    {
        lock (_gate) return _current == connection;
    }

    private void Begin(Connection connection)
    {
        if (IsKept) connection.AddKeeper();
        if (UserCode is { } code) connection.Options.Work.AddUserCode(new Run(this, connection, code));
    }

    /// <summary>One run of the user's code.</summary>
    private sealed class Run(KeptConnection kept, Connection connection, Func<MuxPeer, CancellationToken, ValueTask> code) : IThreadPoolWorkItem
    {
        public void Execute() => _ = RunAsync();

        private bool HasLeft => connection.HasEnded || !connection.TakesCalls || !kept.IsCurrent(connection);

        private async Task RunAsync()
        {
            if (HasLeft)
            {
                kept.OnRunFailed(Left, error: null);
                return;
            }

            var peer = connection.Caller!;
            kept._isInUserCode.Value = true; // of this run alone: it begins on a thread of the queue
            try
            {
                await code(peer, peer.Closed).ConfigureAwait(false);
                kept.OnRun();
            }
            catch (Exception error)
            {
                bool hasLeft = HasLeft;
                kept.OnRunFailed(hasLeft ? Left : $"OnOpened has failed: {ThrownMessage.Of(error)}", hasLeft ? null : error);
                if (hasLeft) return; // the end of the connection is told, and the code runs on the next one
                var pool = PoolOf(connection);
                var level = kept._failureLog.Temper(LogLevel.Warning, pool.Settings.Calls.Clock.Now, out var others);
                ClientLog.OnOpenedFailed(pool.Settings.Logger, level, pool.Settings.Name, pool.Endpoint, others, error);
                pool.GiveUp((PooledConnection)connection.Owner);
            }
        }
    }
}

/// <summary>Replaces a link that the transport failed to create. Reports the failure when it is started.</summary>
internal sealed class FailedLink : Link
{
    private readonly Exception _error;

    private FailedLink(Exception error) => _error = error;

    public override string RemoteAddress => string.Empty;

    public override bool HasUndeliveredInput => false;

    /// <summary>Creates the link of a channel. The call that needs it must not throw: it fails as if the transport had failed to connect.</summary>
    public static Link OrLinkOf(ChannelSettings settings)
    {
        try
        {
            return settings.Transport!.CreateLink(settings.Address!);
        }
        catch (Exception error)
        {
            return new FailedLink(error);
        }
    }

    public override void Start(ILinkHandler handler) => WorkQueue.OfProcess.Add(new Report(handler, _error));

    public override int Send(ReadOnlySpan<byte> bytes) => bytes.Length;

    public override void ShutdownSend()
    {
        // Nothing was ever sent.
    }

    public override void Close()
    {
        // It reports its end on its own.
    }

    private sealed class Report(ILinkHandler handler, Exception error) : IThreadPoolWorkItem
    {
        public void Execute() => handler.OnClosed(LinkCloseCause.ConnectFailed, error);
    }
}

/// <summary>Learns of the connections of all pools of a channel. Called outside all locks, on any thread.</summary>
internal interface IConnectionWatch
{
    /// <summary>A connection is open. Its pool has noted it.</summary>
    void OnOpened(Connection connection);

    /// <summary>A connection drains, has ended, or was never open. Its pool has noted it.</summary>
    void OnLeft(Connection connection);

    /// <summary>
    /// The end of the run of the user's code for a new connection, of this one or the next: null, or how it has failed. After one has ended well, it is that.
    /// </summary>
    Task<ConnectionEnd?> FirstRun { get; }

    /// <summary>The channel is disposed.</summary>
    void Close();
}
