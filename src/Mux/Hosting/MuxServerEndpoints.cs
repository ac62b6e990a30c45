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
    private volatile bool _hasAny;

    /// <summary>Gets a value indicating whether an endpoint was announced.</summary>
    public bool HasAny => _hasAny;

    /// <summary>
    /// Announces an endpoint, before the host starts. If neither the configuration nor code sets <see cref="MuxOptions.Address"/>, the server then does not
    /// listen itself. Without an announcement it listens at the default address.
    /// </summary>
    public void Announce() => _hasAny = true;
}
