namespace Mux.Tool.Pinging;

/// <summary>A service that no server has: that it answers so is all that <c>mux ping</c> wants to know.</summary>
[MuxService("mux.ping")]
internal interface IPing
{
    ValueTask<MuxResult<MuxUnit>> PingAsync(CancellationToken cancellationToken = default);
}
