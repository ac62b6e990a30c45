using Mux.Connections;
using Mux.Diagnostics;

namespace Mux.Endpoints;

/// <summary>
/// Chooses the one connection of a channel on which a server finds the client: the oldest that is open. Runs the user's code on it, and replaces it when it
/// drains or is lost. Safe for concurrent use.
/// </summary>
internal sealed class KeptConnection : IConnectionWatch
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly List<Connection> _open = []; // connections that take calls, the oldest first
    private Connection? _current; // the first of them

    /// <summary>True if there is to be one without calls.</summary>
    public required bool IsKept { get; init; }

    /// <summary>The user's code; null if there is none.</summary>
    public required Func<MuxPeer, CancellationToken, ValueTask>? UserCode { get; init; }

    /// <inheritdoc/>
    public void OnOpened(Connection connection)
    {
        lock (_gate)
        {
            if (!connection.TakesCalls) return; // it has left on another thread, which comes here before or after
            _open.Add(connection);
            if (_current is not null) return;
            _current = connection;
        }

        Begin(connection);
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
            if (HasLeft) return;
            var peer = connection.Caller!;
            try
            {
                await code(peer, peer.Closed).ConfigureAwait(false);
            }
            catch (Exception error)
            {
                if (HasLeft) return; // the end of the connection is told, and the code runs on the next one
                var pool = PoolOf(connection);
                ClientLog.OnOpenedFailed(pool.Settings.Logger, pool.Settings.Name, pool.Endpoint, error);
                pool.GiveUp((PooledConnection)connection.Owner);
            }
        }
    }
}
