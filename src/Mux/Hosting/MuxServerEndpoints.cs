namespace Mux.Hosting;

/// <summary>
/// Endpoints other than its own address that bring connections to the server of a host. <c>AddMuxServer</c> registers this object as a singleton. Safe for
/// concurrent use.
/// </summary>
/// <remarks>
/// <c>UseMux</c>, <c>UseMuxHttps</c> and <c>MapMuxWebSocket</c> of Mux.AspNetCore announce theirs. Code that passes connections to
/// <see cref="MuxServer.ServeAsync"/> itself can do the same.
/// </remarks>
public sealed class MuxServerEndpoints
{
    private readonly Lock _lock = new();
    private bool _hasAny;
    private Action? _waiting; // starts the server; set while its start waits for the first announcement
    private string? _defaultAddress; // where the server listens for want of an announcement

    /// <summary>Gets a value indicating whether an endpoint was announced.</summary>
    public bool HasAny
    {
        get
        {
            lock (_lock) return _hasAny;
        }
    }

    /// <summary>
    /// Announces an endpoint. If neither the configuration nor code sets <see cref="MuxOptions.Address"/>, the server then does not listen itself. Without an
    /// announcement it listens at the default address.
    /// </summary>
    /// <remarks>
    /// Announce before the host starts. In an application with a web host, the first announcement may also come while the host starts: the server waits for it,
    /// and it starts the server, whose exceptions it throws. An announcement after the first one, or for a server with an address, is allowed at any time.
    /// </remarks>
    /// <exception cref="InvalidOperationException">It is the first announcement, and the server listens at the default address already. The message says what
    /// to call.</exception>
    public void Announce()
    {
        Action? start;
        lock (_lock)
        {
            if (_defaultAddress is not null)
            {
                throw new InvalidOperationException($"The server listens at its default address {_defaultAddress} already, because nothing set its address " +
                    "and no endpoint was announced before. Announce endpoints before the host starts, or call AddMuxServer(string.Empty) for a server that " +
                    "does not listen itself.");
            }

            _hasAny = true;
            (start, _waiting) = (_waiting, null);
        }

        start?.Invoke();
    }

    /// <summary>Runs an action at the first announcement; at once if there was one.</summary>
    internal void OnFirst(Action start)
    {
        lock (_lock)
        {
            if (!_hasAny)
            {
                _waiting = start;
                return;
            }
        }

        start();
    }

    /// <summary>Ends the time for announcements of a server without an address.</summary>
    /// <param name="defaultAddress">Where the server listens then.</param>
    /// <returns>False if an endpoint was announced, so that the server does not listen.</returns>
    internal bool TryClose(string defaultAddress)
    {
        lock (_lock)
        {
            if (_hasAny) return false;
            (_defaultAddress, _waiting) = (defaultAddress, null);
            return true;
        }
    }
}
