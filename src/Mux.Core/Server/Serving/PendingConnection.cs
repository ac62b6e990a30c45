using Mux.Engine;

namespace Mux.Server;

/// <summary>A connection that has not finished its handshake and holds a place for it.</summary>
internal sealed class PendingConnection
{
    /// <summary>Set once the connection is made, under the lock under which its place was taken.</summary>
    public Connection Connection { get; set; } = null!;
}
